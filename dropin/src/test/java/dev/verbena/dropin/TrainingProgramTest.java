package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the C program that bin/verbena runs after a build, for its messages about the library. */
final class TrainingProgramTest {
  private record Run(int exitCode, String text) {}

  @ParameterizedTest
  @ValueSource(strings = {"soft0", "soft0?link=packet", "soft0?link=udp"})
  void itsTrafficArrivesAndJavaEndsInOrder(String device) throws Exception {
    Run run = training(device);

    assertThat(run.text()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void itFailsIfThereIsNoDevice() throws Exception {
    Run run = training("soft:192.0.2.1");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text()).contains("training: ibv_");
  }

  @Test
  void anOptionThatNoDeviceHasIsNamedWithThoseThatThereAre() throws Exception {
    Run run = training("soft0?fauls=drop:0.1");

    assertThat(run.text().lines().filter(line -> line.startsWith("verbena: ")))
        .singleElement(STRING)
        .contains("soft0?fauls=drop:0.1", "unknown option 'fauls'; known: link, faults, ");
  }

  private static Run training(String device) throws Exception {
    Path program = NativeLibrary.folder().resolve("training");
    ProcessBuilder builder = new ProcessBuilder(program.toString()).redirectErrorStream(true);
    builder.environment().putAll(NativeLibrary.environment(device));
    Process process = builder.start();
    String text = process.inputReader().readAllAsString();
    return new Run(process.waitFor(), text);
  }
}
