package dev.verbena.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ReadmeExampleTest {
  @Test
  void theExamplePrintsWhatItWrote() throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                HelloRdma.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
      assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualToIgnoringNewLines("SUCCESS: hello");
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void theReadmeQuotesTheExample() throws Exception {
    Path project = projectFolder();
    String source =
        Files.readString(
            project.resolve("examples/src/main/java/dev/verbena/examples/HelloRdma.java"));
    String readme = Files.readString(project.resolve("README.md"));
    int start = readme.indexOf("```java\n") + "```java\n".length();
    String quoted = readme.substring(start, readme.indexOf("```", start));

    assertThat(quoted.lines().map(String::strip))
        .hasSizeGreaterThan(15)
        .containsExactlyElementsOf(body(source).lines().map(String::strip).toList());
  }

  /** What stands between the braces of main. */
  private static String body(String source) {
    int start = source.indexOf('\n', source.indexOf("void main(")) + 1;
    return source.substring(start, source.indexOf("\n  }\n", start) + 1);
  }

  /** The folder with README.md, from wherever the tests run. */
  static Path projectFolder() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("README.md"))) {
      folder = folder.getParent();
    }
    return folder;
  }
}
