package dev.verbena.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import dev.verbena.tools.TwoEnds;
import dev.verbena.tools.pingpong.end.XrcDestination;
import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server and its clients in this process, on a device each. */
final class XsrqPingpongTest {
  @ParameterizedTest
  @CsvSource({
    "link=auto, 1, -n 100",
    "link=auto, 3, -e",
    "link=packet, 2, -s 10250 -m 256 --chk",
    "link=udp, 2, -n 50 -e"
  })
  void aServerAndItsClientsFinish(String link, int clients, String options) throws Exception {
    List<CommandRun> runs = new ArrayList<>();
    CommandRun server =
        CommandRun.start(TwoEnds.arguments("xsrq-pingpong", link, "0", options + " -c " + clients));
    for (int i = 0; i < clients; i++) {
      runs.add(TwoEnds.startClient(server, "xsrq-pingpong", link, options));
    }
    runs.add(server);
    for (CommandRun run : runs) {
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out()).endsWith("success").contains("   local: LID 0000, QPN RECV ");
    }
    assertThat(server.out().lines().filter(line -> line.startsWith("  remote: LID")))
        .hasSize(clients);
  }

  @Test
  void aClientThatChecksFailsWithDataThatNoServerHasMarked() throws Exception {
    TwoEnds ends = TwoEnds.run("xsrq-pingpong", "link=packet", "-s 5000", "-s 5000 --chk");

    assertThat(ends.server().exitCode()).isZero();
    assertThat(ends.client().exitCode()).isEqualTo(1);
    assertThat(ends.client().err()).contains("invalid data in pages [0, 1]");
  }

  @Test
  void anAddressIsTheMessageOfTheFormatWithItsNul() throws IOException {
    XrcDestination address =
        new XrcDestination(0, 0x11, 0x12, 0x5f2a1c, 0x7, Gid.parse("192.168.0.1"));

    assertThat(address.toMessage())
        .isEqualTo(
            "0000:000011:000012:5f2a1c:000007:00000000000000000000ffffc0a80001\0"
                .getBytes(StandardCharsets.US_ASCII))
        .hasSize(XrcDestination.MESSAGE_BYTES);
    assertThat(XrcDestination.parse(address.toMessage())).isEqualTo(address);
    assertThat(address.line("remote"))
        .isEqualTo(
            "  remote: LID 0000, QPN RECV 000011 SEND 000012, PSN 5f2a1c, SRQN 000007, GID"
                + " ::ffff:192.168.0.1");
  }
}
