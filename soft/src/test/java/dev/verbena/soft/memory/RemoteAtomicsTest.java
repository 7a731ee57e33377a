package dev.verbena.soft.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class RemoteAtomicsTest {
  private static final long BASE = 0x1000;

  private final MemorySegment memory = MemorySegment.ofArray(new long[4]);
  private final Region region = new Region(1, 2, new Domain(), 0, BASE, memory);

  private long at(long offset) {
    return memory.get(ValueLayout.JAVA_LONG, offset);
  }

  @Test
  @Proves("S5.4.1")
  void eachOperationWorksOnItsEightBytesAndTellsWhatItFound() {
    memory.set(ValueLayout.JAVA_LONG, 8, 40);
    assertThat(RemoteAtomics.fetchAndAdd(region.memory(), region.offset(BASE + 8), 2))
        .isEqualTo(40);
    assertThat(RemoteAtomics.fetchAndAdd(region.memory(), region.offset(BASE + 8), Long.MAX_VALUE))
        .isEqualTo(42);
    assertThat(at(8)).as("modulo 2^64").isEqualTo(Long.MIN_VALUE + 41);
    RemoteAtomics.write(region, BASE + 8, 7);
    assertThat(at(8)).isEqualTo(7);
    assertThat(RemoteAtomics.compareAndSwap(region.memory(), region.offset(BASE + 8), 6, 9))
        .isEqualTo(7);
    assertThat(at(8)).isEqualTo(7);
    assertThat(RemoteAtomics.compareAndSwap(region.memory(), region.offset(BASE + 8), 7, 9))
        .isEqualTo(7);
    assertThat(at(8)).isEqualTo(9);
    assertThat(at(0)).isZero();
    assertThat(at(16)).isZero();
  }

  @Test
  @Proves("S5.4.3")
  void aTargetMustBeAlignedByItsAddressAndInMemory() {
    assertThat(RemoteAtomics.isAligned(region, BASE)).isTrue();
    assertThat(RemoteAtomics.isAligned(region, BASE + 8)).isTrue();
    for (int shift = 1; shift < 8; shift++) {
      assertThat(RemoteAtomics.isAligned(region, BASE + shift)).isFalse();
      // Aligned by address only, in memory only, and by both although the region is not.
      Region beside = new Region(1, 2, new Domain(), 0, BASE, memory.asSlice(shift));
      assertThat(RemoteAtomics.isAligned(beside, BASE)).isFalse();
      assertThat(RemoteAtomics.isAligned(beside, BASE + 8 - shift)).isFalse();
      Region both = new Region(1, 2, new Domain(), 0, BASE + shift, memory.asSlice(shift));
      assertThat(RemoteAtomics.isAligned(both, BASE + 8)).isTrue();
      assertThat(RemoteAtomics.isAligned(both, BASE + 8 + shift)).isFalse();
    }
  }
}
