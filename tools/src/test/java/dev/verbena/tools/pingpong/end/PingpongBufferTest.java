package dev.verbena.tools.pingpong.end;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

final class PingpongBufferTest {
  private final MemorySegment memory = MemorySegment.ofArray(new byte[4096 + 1]);

  @Test
  void aBufferThatNothingArrivedInIsInvalidInEveryPage() {
    assertThat(new PingpongBuffer(memory).invalidPages()).containsExactly(0L, 1L);
  }

  @Test
  void whatTheClientMarksIsWhatTheServerExpects() {
    PingpongBuffer buffer = new PingpongBuffer(memory);
    buffer.mark();

    assertThat(buffer.invalidPages()).isEmpty();
    assertThat(memory.get(ValueLayout.JAVA_BYTE, 1)).isEqualTo((byte) 0x7b);
    assertThat(memory.get(ValueLayout.JAVA_BYTE, 4096)).isEqualTo((byte) 0);
  }

  @Test
  void aWrongPageIsNamed() {
    PingpongBuffer buffer = new PingpongBuffer(memory);
    buffer.mark();
    memory.set(ValueLayout.JAVA_BYTE, 4096, (byte) 1);

    assertThat(buffer.invalidPages()).containsExactly(1L);
  }
}
