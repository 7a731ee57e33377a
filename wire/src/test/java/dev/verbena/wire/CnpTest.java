package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class CnpTest {
  @Test
  void itIsAsAConnectX4WritesIt() {
    byte[] bytes = new byte[4 + Cnp.LENGTH];
    MemorySegment segment = MemorySegment.ofArray(bytes);
    segment.fill((byte) 0xEE);
    Cnp.write(segment, 4, 0xFFFF, 0x118);
    assertThat(HexFormat.of().formatHex(segment.toArray(ValueLayout.JAVA_BYTE)))
        .isEqualTo("eeeeeeee" + "8100ffff40000118" + "00".repeat(20));
  }
}
