package dev.verbena.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import dev.verbena.tools.TwoEnds;
import java.util.List;

/** Server and client of a ping-pong in this process, on a device each, ended. */
record PingpongPair(CommandRun server, CommandRun client) {
  /** Runs a command as server and as client. */
  static PingpongPair run(String command, String link, String serverOptions, String clientOptions)
      throws Exception {
    TwoEnds ends = TwoEnds.run(command, link, serverOptions, clientOptions);
    return new PingpongPair(ends.server(), ends.client());
  }

  /** Both ends have ended well, know each other, and tell how it went. */
  void expectSuccess() throws Exception {
    assertThat(server.err()).isEmpty();
    assertThat(client.err()).isEmpty();
    assertThat(server.exitCode()).isZero();
    assertThat(client.exitCode()).isZero();
    for (CommandRun end : List.of(server, client)) {
      assertThat(end.out())
          .containsPattern("  local address:  LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6}")
          .containsPattern("  remote address: LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6}")
          .containsPattern("\n\\d+ bytes in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d Mbit/sec\n")
          .containsPattern("\n\\d+ iters in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d usec/iter")
          .doesNotContain("invalid data");
    }
    assertThat(addresses(client, "  remote address: "))
        .isEqualTo(addresses(server, "  local address:  "));
    assertThat(addresses(server, "  remote address: "))
        .isEqualTo(addresses(client, "  local address:  "));
  }

  /** What follows on the lines that begin so. */
  static List<String> addresses(CommandRun run, String start) {
    return run.out()
        .lines()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .toList();
  }
}
