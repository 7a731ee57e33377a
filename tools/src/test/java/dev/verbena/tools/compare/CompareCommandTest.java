package dev.verbena.tools.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import dev.verbena.tools.TestAddresses;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CompareCommandTest {
  @Test
  void theRowsCanBeListedWithoutMeasuringThem() throws Exception {
    CommandRun run = CommandRun.of("compare", "--list", "udp");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("udp-send-lat", "udp-write-1MiB").doesNotContain("loopback-");
  }

  @Test
  void aRowThatIsNotThereIsWrongUsage() throws Exception {
    CommandRun run = CommandRun.of("compare", "infiniband");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("no metric's name contains [infiniband]; see --list");
  }

  @Test
  void onlyTheScriptInstallsWhatIsComparedWith() throws Exception {
    CommandRun run = CommandRun.of("compare", "--install");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("only the script can install: bin/verbena compare --install");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "copy --bytes=4096",
        "hand-off",
        "fetch-add",
        "cmp-swap",
        "loopback-latency",
        "loopback-write --bytes=65536",
        "loopback-read --bytes=65536",
        "loopback-list",
        "loopback-fetch-add",
        "loopback-cmp-swap",
        "many-write --pairs=10",
        "many-setup --pairs=10"
      })
  void aProbePrintsAFigure(String probe) throws Exception {
    CommandRun run = CommandRun.of(command(probe.split(" "), device("")));

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(figure(List.of(run))).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"udp-latency", "tcp-latency", "tcp-bandwidth", "udp-rate", "raw-udp"})
  void aProbeOfSocketsHasTwoEnds(String probe) throws Exception {
    List<CommandRun> ends = runBoth(probe);

    assertThat(figure(ends)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RDMA_WRITE,65536,1,1,32",
        "RDMA_READ,65536,1,1,8",
        "SEND,64,4,64,16",
        "RDMA_WRITE,64,40,1,16"
      })
  void bothEndsOfALinkTellWhatTheyLeftAndSentAgain(String traffic) throws Exception {
    List<CommandRun> ends = runBoth("link", device("?link=udp"), "--traffic=" + traffic);

    assertOfBoth(ends);
  }

  @Test
  void twoProcessesAnswerEachOtherInMemory() throws Exception {
    assertOfBoth(runBoth("link-latency", device("?link=udp")));
  }

  private static void assertOfBoth(List<CommandRun> ends) {
    assertThat(figure(ends)).isPositive();
    assertThat(ends)
        .allSatisfy(
            end ->
                assertThat(end.out().lines())
                    .anyMatch(line -> line.matches("garbage [0-9.E-]+"))
                    .anyMatch(line -> line.matches("resent [0-9.E]+")));
    assertThat(ends.get(1).out()).as("the server has no figure").doesNotContain("figure");
  }

  @Test
  void trafficThatIsNoneIsWrongUsage() throws Exception {
    CommandRun run = CommandRun.of("compare-probe", "link", "--server", "--traffic=SEND,0,1,1,1");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--traffic=SEND,0,1,1,1 is not OPCODE,BYTES,QPS,LIST,POSTS");
  }

  /** Both ends at their end: first the client. */
  private static List<CommandRun> runBoth(String... probe) throws Exception {
    CommandRun server = CommandRun.start(command(probe, "--server"));
    String port = server.awaitLine(line -> line.startsWith("port ")).substring(5);
    CommandRun client = CommandRun.of(command(probe, "--port=" + port));

    assertThat(client.err() + server.err()).isEmpty();
    assertThat(client.exitCode()).isZero();
    assertThat(server.exitCode()).isZero();
    return List.of(client, server);
  }

  static String[] command(String[] probe, String role) {
    return Stream.of(Stream.of("compare-probe"), Stream.of(probe), Stream.of(role))
        .flatMap(each -> each)
        .toArray(String[]::new);
  }

  static String device(String options) {
    return "--device=soft:" + TestAddresses.next() + options;
  }

  /** Of the end that has it. */
  static double figure(List<CommandRun> ends) {
    return ends.stream()
        .flatMap(end -> end.out().lines())
        .filter(line -> line.startsWith("figure "))
        .mapToDouble(line -> Double.parseDouble(line.substring(7)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void anUnknownProbeIsWrongUsage() throws Exception {
    CommandRun run = CommandRun.of("compare-probe", "nothing");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("no such probe: nothing");
  }
}
