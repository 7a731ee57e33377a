package dev.verbena.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import dev.verbena.tools.TestAddresses;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration with its two processes. */
final class DemoTest {
  /** An address for documentation, which no computer has. */
  private static final String ELSEWHERE = "192.0.2.1";

  @Test
  void everyOperationIsInTheTable() throws Exception {
    CommandRun run = demo("", "--iters=50", "--size=65537", "--seed=42");

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    for (Operation operation : Operation.values()) {
      assertThat(run.out())
          .containsPattern("  " + operation + " +8 B +50 +[0-9.]+ us +[0-9.]+ us +- +\\d+");
      if (!operation.isAtomic()) {
        assertThat(run.out())
            .containsPattern("  " + operation + " +65537 B +\\d+ +- +- +[0-9.]+ MB/s +\\d+");
      }
    }
    assertThat(run.out()).contains("data seed 42", "All data was checked", "Where to go next");
  }

  @Test
  void lostPacketsAreSentAgainAndTheDataIsStillRight() throws Exception {
    CommandRun run = demo("?faults=drop:0.05,seed:9", "--iters=50", "--size=16384");

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("faults_dropped=");
  }

  @Test
  void aPictureHasThePacketsOfEveryOperationOnce(@TempDir Path folder) throws Exception {
    Path image = folder.resolve("demo.svg");
    CommandRun run = demo("", "--svg=" + image);

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("are drawn in " + image, "had not compiled yet");
    assertThat(image)
        .content()
        .startsWith("<svg")
        .contains("SEND_ONLY", "WRITE_FIRST", "WRITE_LAST_IMM", "READ_RESPONSE_MIDDLE", "ATOMIC");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(image);
    }
  }

  @Test
  void jsonIsAllThatIsPrinted() throws Exception {
    CommandRun run =
        demo("?faults=drop:0.05,seed:9", "--iters=50", "--size=16384", "--seed=42", "--json");

    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines()).hasSize(1);
    assertThat(run.out())
        .startsWith("{\"test\":\"demo\",\"device\":\"soft_127_")
        .contains(",\"seed\":42,\"faults\":{\"faults_dropped\":")
        .containsPattern(
            "\"results\":\\[\\{\"operation\":\"SEND\",\"bytes\":8,\"messages\":50,\"p50_us\":[0-9.]+,"
                + "\"p99_us\":[0-9.]+,\"retransmitted\":\\d+}")
        .containsPattern("\"bytes\":16384,\"messages\":\\d+,\"bytes_per_s\":[0-9.E]+,")
        .endsWith("}]}");
  }

  @Test
  void aServerThatCannotOpenItsDeviceIsReportedInItsWords() throws Exception {
    CommandRun run =
        CommandRun.of(
            "demo", "--device=soft:" + TestAddresses.next(), "--server-device=soft:" + ELSEWHERE);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("verbena demo: verbena demo-server: openDevice: address " + ELSEWHERE)
        .contains("EADDRNOTAVAIL", "the server process (pid ", "exit code 1")
        .doesNotContain("\tat ");
  }

  @Test
  void aClientThatCannotOpenItsDeviceGivesTheReasonWithoutAServerAroundIt() throws Exception {
    CommandRun run =
        CommandRun.of(
            "demo", "--device=soft:" + ELSEWHERE, "--server-device=soft:" + TestAddresses.next());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("verbena demo: openDevice: ")
        .contains(ELSEWHERE, "EADDRNOTAVAIL")
        .doesNotContain("server process");
  }

  @Test
  void aServerThatIsKilledEndsTheDemonstrationWithTheReason() throws Exception {
    CommandRun run = CommandRun.start(arguments("", "--iters=1000000"));
    String line = run.awaitLine(text -> text.startsWith("  server  pid "));
    long pid = Long.parseLong(line.substring("  server  pid ".length()).strip().split(" ")[0]);
    ProcessHandle server = ProcessHandle.of(pid).orElseThrow();

    server.destroyForcibly();

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("verbena demo: the server process (pid " + pid + ") ")
        .contains("it ended with exit code");
  }

  @Test
  void sizesOutOfRangeAreWrongUsage() throws Exception {
    CommandRun run = CommandRun.of("demo", "--size=7");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--size=7 is not in 8 to");
  }

  private static CommandRun demo(String options, String... more) {
    return CommandRun.of(arguments(options, more));
  }

  /** On two addresses of its own: other tests of this process may have soft0 open. */
  private static String[] arguments(String options, String... more) {
    List<String> arguments = new ArrayList<>();
    arguments.add("demo");
    arguments.add("--device=soft:" + TestAddresses.next() + options);
    arguments.add("--server-device=soft:" + TestAddresses.next() + options);
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }
}
