package dev.verbena.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.googlejavaformat.java.Main;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources look as google-java-format leaves them. */
class FormattingTest {

  @Test
  void allSourcesAreFormatted() throws Exception {
    assertThat(unformatted(Repository.sources("src", Repository.MODULES)))
        .as("unformatted sources; to format them: bin/format")
        .isEmpty();
  }

  @Test
  void findsAnUnformattedSource(@TempDir Path folder) throws Exception {
    Path good = Files.writeString(folder.resolve("Good.java"), "class Good {}\n");
    Path bad = Files.writeString(folder.resolve("Bad.java"), "class  Bad {}\n");
    assertThat(unformatted(List.of(good, bad))).containsExactly(bad.toString());
  }

  @Test
  void findsASourceThatCannotBeRead(@TempDir Path folder) throws IOException {
    Path broken = Files.writeString(folder.resolve("Broken.java"), "class {\n");
    assertThat(problems(List.of(broken))).isNotEmpty();
  }

  private static List<String> unformatted(List<Path> sources) throws Exception {
    assertThat(problems(sources)).isEmpty();
    return run(sources).out().lines().toList();
  }

  private static String problems(List<Path> sources) throws IOException {
    return run(sources).err();
  }

  private static Result run(List<Path> sources) throws IOException {
    List<String> args = new ArrayList<>(List.of("--dry-run"));
    sources.forEach(source -> args.add(source.toString()));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    try (PrintWriter outWriter = new PrintWriter(out);
        PrintWriter errWriter = new PrintWriter(err)) {
      new Main(outWriter, errWriter, InputStream.nullInputStream())
          .format(args.toArray(String[]::new));
    } catch (Exception e) {
      throw new IOException("google-java-format failed: " + err, e);
    }
    return new Result(out.toString(), err.toString());
  }

  private record Result(String out, String err) {}
}
