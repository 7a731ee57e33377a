package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scatter/gather elements, alone and as parts of a region. */
class SgeTest {
  private static final MemoryRegion REGION =
      Stubs.of(
          MemoryRegion.class,
          Map.of("addr", args -> 0x10000L, "length", args -> 4096L, "lkey", args -> 0x1100));

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 0x7fffffffL, 0x80000000L, 0xffffffffL})
  void lengthIsAnyUnsigned32BitNumber(long length) {
    assertThat(new Sge(0, length, 0).length()).isEqualTo(length);
    assertThat(new Sge().length(length).length()).isEqualTo(length);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 0x100000000L, Long.MIN_VALUE, Long.MAX_VALUE})
  void anyOtherLengthIsEinvalAndChangesNothing(long length) {
    Sge sge = new Sge(0x1000, 5, 7);
    String message = "sge: length " + length + " is not in 0 to 2^32-1 (EINVAL: Invalid argument)";
    assertThatThrownBy(() -> sge.length(length)).hasMessage(message);
    assertThatThrownBy(() -> new Sge(0, length, 0)).hasMessage(message);
    assertThat(sge.length()).isEqualTo(5);
  }

  @Test
  void settingAnAddressForgetsASegment() {
    MemorySegment heap = MemorySegment.ofArray(new byte[3]);
    Sge sge = Sge.of(heap);
    assertThat(sge.segment()).isSameAs(heap);
    assertThat(sge.length()).isEqualTo(3);
    sge.set(0x2000, 4, 9);
    assertThat(sge.segment()).isNull();
    assertThat(sge).hasToString("sge[addr=0x2000, length=4, lkey=0x9]");
  }

  @Test
  void anAddressOfItsOwnForgetsTheSegmentAndAKeyDoesNot() {
    MemorySegment heap = MemorySegment.ofArray(new byte[3]);
    Sge sge = Sge.of(heap).lkey(9);
    assertThat(sge.segment()).isSameAs(heap);
    sge.addr(0x2000);
    assertThat(sge.segment()).isNull();
    assertThat(sge).hasToString("sge[addr=0x2000, length=3, lkey=0x9]");
  }

  @Test
  void aPartOfASegmentSaysWhereItStarts() {
    MemorySegment heap = MemorySegment.ofArray(new byte[10]);
    Sge sge = new Sge(1, 2, 3).segment(heap, 4, 5);
    assertThat(sge.segment()).isSameAs(heap);
    assertThat(sge.segmentOffset()).isEqualTo(4);
    assertThat(sge.addr()).isEqualTo(heap.address() + 4);
    assertThat(sge.length()).isEqualTo(5);
    assertThat(sge.lkey()).isZero();
    assertThat(sge.segment(heap).segmentOffset()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"0, 11", "10, 1", "-1, 1", "0, -1", "9223372036854775807, 2", "11, 0"})
  void aPartOutsideTheSegmentIsEinvalAndChangesNothing(long offset, long length) {
    MemorySegment heap = MemorySegment.ofArray(new byte[10]);
    Sge sge = new Sge(1, 2, 3);
    assertThatThrownBy(() -> sge.segment(heap, offset, length))
        .hasMessage(
            "sge: %d bytes at offset %d are not inside a segment of 10 bytes (EINVAL: Invalid"
                + " argument)",
            length, offset);
    assertThat(sge).hasToString("sge[addr=0x1, length=2, lkey=0x3]");
  }

  @Test
  void aRegionGivesItselfOrAPart() {
    assertThat(REGION.sge()).hasToString("sge[addr=0x10000, length=4096, lkey=0x1100]");
    assertThat(REGION.sge(128, 10)).hasToString("sge[addr=0x1000a, length=128, lkey=0x1100]");
    assertThat(REGION.sge(0, 4096).addr()).isEqualTo(0x11000);
    assertThat(REGION.sgeAt(10, 128)).hasToString("sge[addr=0x1000a, length=128, lkey=0x1100]");
    assertThat(REGION.sgeAt(4096, 0).addr()).isEqualTo(0x11000);
  }

  @ParameterizedTest
  @CsvSource({"4097, 0", "1, 4096", "-1, 0", "0, -1", "9223372036854775807, 2", "0, 4097"})
  void aPartOutsideTheRegionIsEinval(long length, long offset) {
    assertThatThrownBy(() -> REGION.sge(length, offset))
        .hasMessage(
            "sge: %d bytes at offset %d are not inside stub, which has 4096 bytes (EINVAL: Invalid"
                + " argument)",
            length, offset);
    assertThatThrownBy(() -> REGION.sgeAt(offset, length))
        .hasMessageStartingWith("sgeAt: %d bytes at offset %d are not inside", length, offset);
  }
}
