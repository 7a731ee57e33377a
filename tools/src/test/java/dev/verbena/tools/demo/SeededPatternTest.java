package dev.verbena.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

final class SeededPatternTest {
  private static final int SIZE = 100;

  private final SeededPattern pattern = ofSeed(7);

  @Test
  void bothEndsDeriveTheSameDataFromASeed() {
    assertThat(ofSeed(7).difference(3, pattern.slice(3, SIZE))).isNull();
    assertThat(ofSeed(8).difference(3, pattern.slice(3, SIZE))).isNotNull();
  }

  @Test
  void theDataOfAnotherMessageIsADifference() {
    assertThat(pattern.difference(3, pattern.slice(4, SIZE))).isNotNull();
  }

  @Test
  void oneWrongByteIsNamed() {
    MemorySegment copy = MemorySegment.ofArray(new byte[SIZE]);
    copy.copyFrom(pattern.slice(3, SIZE));
    assertThat(pattern.difference(3, copy)).isNull();

    byte right = copy.get(ValueLayout.JAVA_BYTE, 99);
    copy.set(ValueLayout.JAVA_BYTE, 99, (byte) (right ^ 1));
    assertThat(pattern.difference(3, copy))
        .isEqualTo(
            "byte 99 of 100 is 0x%02x, not 0x%02x".formatted((right ^ 1) & 0xff, right & 0xff));
  }

  @Test
  void everyMessageFitsTheMemory() {
    for (int message = 0; message < 2000; message++) {
      assertThat(pattern.slice(message, SIZE).byteSize()).isEqualTo(SIZE);
    }
  }

  private static SeededPattern ofSeed(long seed) {
    return new SeededPattern(
        MemorySegment.ofArray(new byte[(int) SeededPattern.bytesFor(SIZE)]), seed);
  }
}
