package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BufferSizeTest {
  private static final int AT = 4;

  private final MemorySegment segment = MemorySegment.ofArray(new byte[AT + BufferSize.LENGTH]);

  @Test
  void itIsFourLettersAndWholeKibibytes() {
    segment.fill((byte) 0xEE);
    BufferSize.write(segment, AT, (425_984 << 1) + 1023);
    assertThat(HexFormat.of().formatHex(segment.toArray(ValueLayout.JAVA_BYTE)))
        .isEqualTo("eeeeeeee" + "5652424e" + "00000340");
    assertThat(BufferSize.bytes(segment, AT)).isEqualTo(425_984 << 1);
  }

  @ParameterizedTest
  @CsvSource({
    "00000000, 0",
    "001FFFFF, 2147482624",
    "00200000, 2147483647",
    "FFFFFFFF, 2147483647"
  })
  void anySizeCanBeReadUpToTwoGibibytes(String kib, int bytes) {
    BufferSize.write(segment, AT, 0);
    segment.set(Layouts.INT, AT + 4, Integer.parseUnsignedInt(kib, 16));
    assertThat(BufferSize.bytes(segment, AT)).isEqualTo(bytes);
  }

  @Test
  void thePacketsOfOtherManufacturersSayNothing() {
    BufferSize.write(segment, AT, 1 << 20);
    for (int bit = 0; bit < 32; bit++) {
      segment.set(Layouts.INT, AT, segment.get(Layouts.INT, AT) ^ 1 << bit);
      assertThat(BufferSize.bytes(segment, AT)).as("bit %d", bit).isEqualTo(-1);
      segment.set(Layouts.INT, AT, segment.get(Layouts.INT, AT) ^ 1 << bit);
    }
  }
}
