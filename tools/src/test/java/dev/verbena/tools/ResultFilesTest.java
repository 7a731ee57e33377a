package dev.verbena.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that write a file at their end look at the beginning whether they can. */
final class ResultFilesTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "trace any.pcapng --svg",
        "demo --svg",
        "lab read --svg",
        "compare --svg",
        "compare --json"
      })
  void aFileInAFolderThatIsNotThereIsRefusedBeforeAnythingElse(String command) throws Exception {
    Path missing = folder.resolve("missing");

    CommandRun run = CommandRun.of((command + "=" + missing.resolve("result")).split(" "));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("/result: there is no folder " + missing);
    assertThat(run.out()).isEmpty();
  }
}
