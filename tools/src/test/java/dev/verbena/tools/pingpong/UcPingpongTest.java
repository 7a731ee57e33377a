package dev.verbena.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Server and client in this process, on a device each. */
final class UcPingpongTest {
  @ParameterizedTest
  @CsvSource({
    "link=auto, -c",
    "link=auto, -c -e -s 65536 -m 4096",
    "link=packet, -c -s 1025 -m 256",
    "link=udp, -c -e"
  })
  void bothEndsFinishAndTheDataIsRight(String link, String options) throws Exception {
    PingpongPair.run("uc-pingpong", link, options, options).expectSuccess();
  }

  @Test
  void aLostMessageEndsBothAndNamesWhatCameThrough() throws Exception {
    PingpongPair pair =
        PingpongPair.run(
            "uc-pingpong", "link=udp&faults=drop:0.5,seed:3", "--timeout=5", "--timeout=5");

    assertThat(pair.client().exitCode()).isEqualTo(1);
    assertThat(pair.client().err()).contains("nothing completed for 5 s, after");
    assertThat(pair.server().exitCode()).isEqualTo(1);
  }
}
