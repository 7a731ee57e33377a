package dev.verbena.interop.sides;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The bytes that both sides compute independently. */
class PatternTest {
  @Test
  void aByteIsSeedPlusPositionPlusRow() {
    byte[] bytes = Pattern.bytes(250, 1000);
    assertThat(bytes[0]).isEqualTo((byte) 250);
    assertThat(bytes[250]).isEqualTo((byte) (250 + 250));
    assertThat(bytes[251]).isEqualTo((byte) (250 + 251 + 1));
    assertThat(bytes[999]).isEqualTo((byte) (250 + 999 + 3));
  }

  @Test
  void packetsOfAMessageDiffer() {
    byte[] bytes = Pattern.bytes(0, 64 * 256);
    for (int packet = 1; packet < 64; packet++) {
      assertThat(Arrays.copyOfRange(bytes, packet * 256, packet * 256 + 256))
          .isNotEqualTo(Arrays.copyOf(bytes, 256));
    }
  }
}
