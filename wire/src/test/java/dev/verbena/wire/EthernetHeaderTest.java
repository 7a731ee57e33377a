package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class EthernetHeaderTest {
  private static final long DST = 0xFEDC_BA98_7654L;
  private static final long SRC = 0x8123_4567_89ABL;

  private final MemorySegment segment = Hex.segment("77".repeat(24));

  @Test
  void theHeaderIsWrittenWhereItIsAskedFor() {
    EthernetHeader.write(segment, 3, DST, SRC, 0x86DD);
    assertThat(Hex.text(segment, 0, 24))
        .isEqualTo("777777" + "fedcba987654" + "8123456789ab" + "86dd" + "77".repeat(7));
    assertThat(EthernetHeader.dst(segment, 3)).isEqualTo(DST);
    assertThat(EthernetHeader.src(segment, 3)).isEqualTo(SRC);
  }

  @Test
  void theLowestBitOfTheFirstByteTellsAGroup() {
    assertThat(EthernetHeader.isGroup(0x0100_0000_0000L)).isTrue();
    assertThat(EthernetHeader.isGroup(0xFFFF_FFFF_FFFFL)).isTrue();
    assertThat(EthernetHeader.isGroup(0xFEFF_FFFF_FFFFL)).isFalse();
    assertThat(EthernetHeader.isGroup(0)).isFalse();
  }
}
