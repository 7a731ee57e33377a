package dev.verbena.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the ends of examples as docs/examples.md says, each in a process of its own. */
final class TwoProcessesTest {
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void endAll() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  private Process start(Class<?> example, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                example.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    processes.add(process);
    return process;
  }

  /** What a process prints until it ends, which it should do with success. */
  private static List<String> finish(Process process) throws Exception {
    List<String> lines;
    try (BufferedReader reader = process.inputReader(UTF_8)) {
      lines = reader.readAllLines();
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
    assertThat(process.exitValue()).as("status; %s", lines).isZero();
    return lines;
  }

  /** The option with the port at which a server listens, which it prints first. */
  private static String port(Process server) throws IOException {
    String line = server.inputReader(UTF_8).readLine();
    assertThat(line).matches("listening on 127\\.0\\.0\\.1:\\d+");
    return "--port=" + line.substring(line.lastIndexOf(':') + 1);
  }

  @Test
  void aServerAndItsClientMayBeTwoProcesses() throws Exception {
    String port = port(start(KeyValueStore.class, "--server", "--port=0"));

    assertThat(finish(start(KeyValueStore.class, "localhost", port)))
        .containsExactly(
            "verbena: RDMA verbs for Java", "verbs: what an RDMA device does", "sockets: nothing");
  }

  @Test
  void aFileOfTheUserGoesFromProcessToProcess(@TempDir Path folder) throws Exception {
    byte[] bytes = new byte[3 * FileTransfer.CHUNK + 5];
    new Random(12).nextBytes(bytes);
    Path sent = Files.write(folder.resolve("sent"), bytes);
    Path received = folder.resolve("received");
    Process server = start(FileTransfer.class, received.toString(), "--server", "--port=0");
    finish(start(FileTransfer.class, sent.toString(), "localhost", port(server)));

    assertThat(finish(server))
        .containsExactly("received " + received + "; SENDs that came too early: 0");
    assertThat(Files.mismatch(sent, received)).isEqualTo(-1);
  }

  @Test
  void helpSaysWhatTheArgumentsMean() throws Exception {
    assertThat(finish(start(UdRequests.class, "--help")))
        .containsExactlyElementsOf(Ends.USAGE.lines().toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--port=7",
        "--listen=127.0.0.1",
        "--sever",
        "--server --nonsense",
        "localhost soft0 soft1",
        "--server soft0 soft1"
      })
  void otherArgumentsAreAnsweredByTheUsage(String arguments) {
    assertThatThrownBy(
            () ->
                Ends.run(
                    (device, listener) -> {}, (device, server) -> {}, arguments.split(" ", -1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(arguments + "\n" + Ends.USAGE);
  }
}
