package dev.verbena.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Server and client in this process, on a device each. */
final class SrqPingpongTest {
  @ParameterizedTest
  @CsvSource({
    "link=auto, -c, 16",
    "link=auto, -c -e -q 255, 255",
    "link=packet, -c -s 1025 -m 256 -q 4 -r 5, 4",
    "link=udp, -c -e, 16",
    "link=udp, -c -q 1 -r 1, 1",
    "'link=udp&faults=drop:0.02,seed:5', -c -n 200, 16"
  })
  void bothEndsFinishAndTheDataIsRight(String link, String options, int qps) throws Exception {
    PingpongPair pair = PingpongPair.run("srq-pingpong", link, options, options);

    pair.expectSuccess();
    assertThat(PingpongPair.addresses(pair.client(), "  remote address: ")).hasSize(qps);
  }
}
