package dev.verbena.mad;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Checks that what docs/rosetta.md names of this module exists; the test in verbs leaves that to
 * this one.
 */
class RosettaRowsTest {
  private static final Path PAGE = Path.of("..", "docs", "rosetta.md");
  private static final Pattern NAME =
      Pattern.compile("`(Mads|MadTransactor|MadCall|MadReply|PathResolver)\\.(\\w+)`");

  @Test
  void namesOfThisModuleExist() throws Exception {
    List<String> missing = new ArrayList<>();
    List<MatchResult> names = names();
    for (MatchResult name : names) {
      Class<?> type = Class.forName(getClass().getPackageName() + "." + name.group(1));
      if (Arrays.stream(type.getMethods()).map(Method::getName).noneMatch(name.group(2)::equals)) {
        missing.add(name.group());
      }
    }
    assertThat(missing).isEmpty();
  }

  private static List<MatchResult> names() throws IOException {
    return NAME.matcher(Files.readString(PAGE)).results().toList();
  }
}
