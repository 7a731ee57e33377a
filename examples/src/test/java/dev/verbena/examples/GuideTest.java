package dev.verbena.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.examples.ClassicMistakes.Mistake;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What docs/guide.md shows is what the programs have and print. */
final class GuideTest {
  private static final Pattern JAVA = Pattern.compile("(?ms)^```java\n(.*?)^```$");
  private static final Pattern MISTAKE = Pattern.compile("(?m)^### \\d+\\. .*\n\n((?: {4}.*\n)+)");

  private static String guide() throws IOException {
    return Files.readString(ReadmeExampleTest.projectFolder().resolve("docs/guide.md"));
  }

  private static String source(String example) throws IOException {
    return Files.readString(
        ReadmeExampleTest.projectFolder()
            .resolve("examples/src/main/java/dev/verbena/examples/" + example + ".java"));
  }

  private static String stripped(String text) {
    return text.lines().map(String::strip).collect(Collectors.joining("\n"));
  }

  @Test
  void theGuideQuotesTheStoreAndTheDatagrams() throws IOException {
    String sources = stripped(source("TinyStore") + source("UdRequests"));
    List<String> blocks = JAVA.matcher(guide()).results().map(block -> block.group(1)).toList();

    assertThat(blocks)
        .hasSize(6)
        .allSatisfy(block -> assertThat(sources).contains(stripped(block)));
  }

  @Test
  void theStoreReturnsWhatWasPutLast() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    Ends.runBoth(
        "soft:new",
        TinyStore::serve,
        "soft:new?faults=drop:0.2,seed:3",
        (device, server) -> TinyStore.talk(device, server, out));

    assertThat(printed.toString(UTF_8).lines())
        .containsExactly("verbena: RDMA verbs for Java", "sockets: nothing");
  }

  @ParameterizedTest
  @EnumSource
  void eachMistakeIsToldInTheWordsOfTheGuide(Mistake mistake) throws IOException {
    List<MatchResult> told = MISTAKE.matcher(guide()).results().toList();

    assertThat(told).hasSameSizeAs(Mistake.values());
    assertThat(general(ClassicMistakes.message("soft:new", mistake)))
        .isEqualTo(general(told.get(mistake.number() - 1).group(1)));
  }

  /** A message without what differs from run to run. */
  private static String general(String message) {
    return message
        .strip()
        .replaceAll("\\s+", " ")
        .replaceAll("0x[0-9a-f]+", "0x0")
        .replaceAll("peer=\\S+", "peer=GID")
        .replaceAll(" of soft\\w+:", " of DEVICE:");
  }
}
