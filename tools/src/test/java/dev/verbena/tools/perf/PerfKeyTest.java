package dev.verbena.tools.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PerfKeyTest {
  private static final PerfKey EXAMPLE =
      new PerfKey(0, 1, 0x405010, 0x7824e2, 0x91214889, 0x56041c9b1000L, Gid.parse("127.0.0.2"));

  private static final String TEXT =
      "0000:0001:405010:7824e2:91214889:000056041c9b1000:"
          + "00:00:00:00:00:00:00:00:00:00:ff:ff:7f:00:00:02:00000000:\0";

  @Test
  void aMessageIsThatOfTheCPrograms() {
    assertThat(EXAMPLE.toMessage()).isEqualTo(ascii(TEXT)).hasSize(108);
  }

  @Test
  void everyMessageHas108BytesWhateverTheValues() throws IOException {
    PerfKey largest = new PerfKey(0xffff, 0xffff, 0xffffff, 0xffffff, -1, -1, new Gid(-1, -1));

    assertThat(largest.toMessage()).hasSize(108);
    assertThat(PerfKey.parse(largest.toMessage())).isEqualTo(largest);
    assertThat(PerfKey.parse(EXAMPLE.toMessage())).isEqualTo(EXAMPLE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0000:0001:405010:7824e2:91214889:000056041c9b1000:00000000:",
        "0000:0001:1405010:7824e2:91214889:000056041c9b1000:0:0:0:0:0:0:0:0:0:0:f:f:f:0:0:2:0:",
        "0000:0001:405010:7824e2:9121488x:000056041c9b1000:"
            + "00:00:00:00:00:00:00:00:00:00:ff:ff:7f:00:00:02:00000000:"
      })
  void anythingElseIsRefusedWithItsText(String text) {
    assertThatThrownBy(() -> PerfKey.parse(Arrays.copyOf(ascii(text), 108)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the peer sent '" + text.substring(0, Math.min(text.length(), 80)));
  }

  @Test
  void theLinesTellWhatTheVerbNeeds() {
    String gid =
        System.lineSeparator() + " GID: 00:00:00:00:00:00:00:00:00:00:255:255:127:00:00:02";

    assertThat(EXAMPLE.lines("local", Verb.SEND))
        .isEqualTo(" local address: LID 0000 QPN 0x405010 PSN 0x7824e2" + gid);
    assertThat(EXAMPLE.lines("remote", Verb.READ))
        .isEqualTo(
            " remote address: LID 0000 QPN 0x405010 PSN 0x7824e2 OUT 0x01 RKey 0x91214889"
                + " VAddr 0x0056041c9b1000"
                + gid);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
