package dev.verbena.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import dev.verbena.tools.TestAddresses;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Server and client in this process, on a device each. */
final class RcPingpongTest {
  private static final String LISTENING = "  listening on TCP port ";

  @ParameterizedTest
  @CsvSource({
    "link=auto, -c",
    "link=auto, -c -e",
    "link=auto, -c -N",
    "link=auto, -c -e -N -s 65536 -m 4096",
    "link=packet, -c -s 1025 -m 256",
    "link=udp, -c",
    "link=udp, -c -e -N",
    "link=udp, -c -s 1 -r 2",
    "'link=udp&faults=drop:0.02,seed:5', -c -n 100"
  })
  void bothEndsFinishAndTheDataIsRight(String link, String options) throws Exception {
    Pair pair = Pair.run(link, options, options);

    assertThat(pair.server.err() + pair.client.err()).isEmpty();
    assertThat(pair.server.exitCode()).isZero();
    assertThat(pair.client.exitCode()).isZero();
    for (CommandRun end : List.of(pair.server, pair.client)) {
      assertThat(end.out())
          .containsPattern("  local address:  LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6}")
          .containsPattern("  remote address: LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6}")
          .containsPattern("\n\\d+ bytes in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d Mbit/sec\n")
          .containsPattern("\n\\d+ iters in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d usec/iter")
          .doesNotContain("invalid data");
    }
    assertThat(lineOf(pair.client, "  remote address: ").substring(18))
        .isEqualTo(lineOf(pair.server, "  local address:  ").substring(18));
  }

  @Test
  void dataThatTheClientDidNotMarkIsReportedByTheServer() throws Exception {
    Pair pair = Pair.run("link=auto", "-c -s 4097 -n 10", "-s 4097 -n 10");

    assertThat(pair.server.exitCode()).isZero();
    assertThat(pair.server.out())
        .contains("invalid data in page 0", "invalid data in page 1")
        .doesNotContain("page 2");
  }

  @Test
  void aMessageTooLongForTheServerFailsBothEndsWithTheReason() throws Exception {
    Pair pair = Pair.run("link=auto", "-s 100 --timeout=5", "-s 200 --timeout=5");

    assertThat(pair.server.exitCode()).isEqualTo(1);
    assertThat(pair.server.err()).contains("Failed status local length error (1) for wr_id 1");
    assertThat(pair.client.exitCode()).isEqualTo(1);
    assertThat(pair.client.err())
        .contains("Failed status remote invalid request error (9) for wr_id 2", "--size");
  }

  @Test
  void anEndWhosePeerStopsEarlyDoesNotHang() throws Exception {
    Pair pair = Pair.run("link=auto", "-n 20 --timeout=1", "-n 10 --timeout=1");

    assertThat(pair.client.exitCode()).isZero();
    assertThat(pair.server.exitCode()).isEqualTo(1);
    assertThat(pair.server.err().lines()).hasSize(1);
  }

  @Test
  void anEmptyGidIndexIsNamedBeforeAnybodyIsAsked() throws Exception {
    CommandRun run =
        CommandRun.of("rc-pingpong", "-p", "0", "-d", "soft:" + TestAddresses.next(), "-g", "1");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("GID 1 of port 1 is empty");
  }

  @Test
  void aServerThatIsNotThereIsNamed() throws Exception {
    int port;
    try (ServerSocket unused = new ServerSocket(0)) {
      port = unused.getLocalPort();
    }
    String device = "soft:" + TestAddresses.next();
    CommandRun run =
        CommandRun.of("rc-pingpong", "-p", Integer.toString(port), "-d", device, "127.0.0.1");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains("couldn't connect to 127.0.0.1:" + port);
  }

  private static String lineOf(CommandRun run, String start) {
    return run.out().lines().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
  }

  /** Both ends, ended. */
  private record Pair(CommandRun server, CommandRun client) {
    static Pair run(String link, String serverOptions, String clientOptions) throws Exception {
      CommandRun server = CommandRun.start(arguments(link, "0", serverOptions));
      String port =
          server.awaitLine(line -> line.startsWith(LISTENING)).substring(LISTENING.length());
      CommandRun client = CommandRun.start(arguments(link, port, clientOptions + " 127.0.0.1"));
      client.exitCode();
      server.exitCode();
      return new Pair(server, client);
    }

    private static String[] arguments(String link, String port, String options) {
      List<String> arguments = new ArrayList<>();
      arguments.add("rc-pingpong");
      arguments.add("--ib-dev=soft:" + TestAddresses.next() + "?" + link);
      arguments.add("--port=" + port);
      arguments.addAll(List.of(options.split(" ")));
      return arguments.toArray(String[]::new);
    }
  }
}
