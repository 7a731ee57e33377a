package dev.verbena.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import dev.verbena.tools.TestAddresses;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Server and client in this process, on a device each. */
final class RcPingpongTest {
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
    PingpongPair pair = PingpongPair.run("rc-pingpong", link, options, options);

    pair.expectSuccess();
  }

  @ParameterizedTest
  @CsvSource({"link=auto, -t -c", "link=auto, -t -e -N", "link=udp, -t -c -s 1 -r 2"})
  void timeStampsTellTheTimeBetweenReceives(String link, String options) throws Exception {
    PingpongPair pair = PingpongPair.run("rc-pingpong", link, options, options);

    pair.expectSuccess();
    for (CommandRun end : new CommandRun[] {pair.server(), pair.client()}) {
      assertThat(end.out())
          .containsPattern(
              "usec/iter\\R"
                  + "Max receive completion clock cycles = \\d+\\R"
                  + "Min receive completion clock cycles = \\d+\\R"
                  + "Average receive completion clock cycles = \\d+\\.\\d{6}");
    }
  }

  @Test
  void dataThatTheClientDidNotMarkIsReportedByTheServer() throws Exception {
    PingpongPair pair =
        PingpongPair.run("rc-pingpong", "link=auto", "-c -s 4097 -n 10", "-s 4097 -n 10");

    assertThat(pair.server().exitCode()).isZero();
    assertThat(pair.server().out())
        .contains("invalid data in page 0", "invalid data in page 1")
        .doesNotContain("page 2");
  }

  @Test
  void aMessageTooLongForTheServerFailsBothEndsWithTheReason() throws Exception {
    PingpongPair pair =
        PingpongPair.run("rc-pingpong", "link=auto", "-s 100 --timeout=5", "-s 200 --timeout=5");

    assertThat(pair.server().exitCode()).isEqualTo(1);
    assertThat(pair.server().err()).contains("Failed status local length error (1) for wr_id 1");
    assertThat(pair.client().exitCode()).isEqualTo(1);
    assertThat(pair.client().err())
        .contains("Failed status remote invalid request error (9) for wr_id 2", "--size");
  }

  @Test
  void anEndWhosePeerStopsEarlyDoesNotHang() throws Exception {
    PingpongPair pair =
        PingpongPair.run("rc-pingpong", "link=auto", "-n 20 --timeout=5", "-n 10 --timeout=5");

    assertThat(pair.client().exitCode()).isZero();
    assertThat(pair.server().exitCode()).isEqualTo(1);
    assertThat(pair.server().err().lines()).last().asString().contains("nothing completed for 5 s");
  }

  @Test
  void aServerWaitsForItsClientAsLongAsItWasTold() throws Exception {
    for (String command : List.of("rc-pingpong", "srq-pingpong", "xsrq-pingpong", "write-lat")) {
      CommandRun run =
          CommandRun.of(command, "-p", "0", "-d", "soft:" + TestAddresses.next(), "--timeout=1");

      assertThat(run.exitCode()).as(command).isEqualTo(1);
      assertThat(run.err())
          .startsWith("verbena " + command + ": no client came to TCP port ")
          .contains("within 1 s; --timeout=0 waits for ever");
    }
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
}
