package dev.verbena.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import dev.verbena.tools.TestAddresses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Server and client in this process, on a device each. */
final class UdPingpongTest {
  @ParameterizedTest
  @CsvSource({
    "link=auto, -c",
    "link=auto, -c -e -s 4096",
    "link=packet, -c -s 1",
    "link=udp, -c -s 0",
    "link=udp, -c -e",
    "link=udp, -c -r 2"
  })
  void bothEndsFinishAndTheDataIsRight(String link, String options) throws Exception {
    PingpongPair.run("ud-pingpong", link, options, options).expectSuccess();
  }

  @Test
  void dataThatTheClientDidNotMarkIsReportedByTheServer() throws Exception {
    PingpongPair pair = PingpongPair.run("ud-pingpong", "link=auto", "-c -n 10", "-n 10");

    assertThat(pair.server().out()).contains("invalid data in page 0").doesNotContain("page 1");
  }

  @Test
  void aMessageLargerThanTheMtuIsRefusedBeforeAnybodyIsAsked() throws Exception {
    CommandRun run =
        CommandRun.of("ud-pingpong", "-p", "0", "-d", "soft:" + TestAddresses.next(), "-s", "4097");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("--size=4097 is larger than port 1's MTU of 4096 bytes");
  }
}
