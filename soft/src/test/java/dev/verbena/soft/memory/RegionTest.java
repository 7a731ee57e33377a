package dev.verbena.soft.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegionTest {
  private static final int SIZE = 64;

  private final Domain domain = new Domain();

  private Region at(long base) {
    MemorySegment memory = MemorySegment.ofArray(new long[SIZE / 8]);
    return new Region(1, 2, domain, Access.LOCAL_WRITE, base, memory);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 64, NONE",
    "0, 64, 0, NONE",
    "0, 64, 1, OUT_OF_BOUNDS",
    "0, 63, 2, OUT_OF_BOUNDS",
    "0, -1, 1, OUT_OF_BOUNDS",
    "0, 1, 9223372036854775807, OUT_OF_BOUNDS",
    "0, 8, -8, OUT_OF_BOUNDS",
    "1000, 999, 1, OUT_OF_BOUNDS",
    "1000, 1000, 64, NONE",
    "1000, 1001, 64, OUT_OF_BOUNDS",
    "-64, -64, 64, NONE",
    "-64, -1, 2, OUT_OF_BOUNDS",
    "-9223372036854775808, 9223372036854775807, 1, OUT_OF_BOUNDS"
  })
  void boundsAreCheckedWithoutOverflow(long base, long addr, long length, AccessFault fault) {
    assertThat(at(base).check(domain, Access.LOCAL_WRITE, addr, length)).isEqualTo(fault);
  }

  @Test
  void domainRightAndBoundsAreCheckedInThisOrder() {
    Region region = at(0);
    assertThat(region.check(new Domain(), Access.REMOTE_READ, -1, 1))
        .isEqualTo(AccessFault.FOREIGN_DOMAIN);
    assertThat(region.check(domain, Access.REMOTE_READ, -1, 1))
        .isEqualTo(AccessFault.MISSING_RIGHT);
    assertThat(region.check(domain, 0, -1, 1)).isEqualTo(AccessFault.OUT_OF_BOUNDS);
  }

  @Test
  void closedMemoryIsGone() {
    Region region;
    try (Arena arena = Arena.ofShared()) {
      region = new Region(1, 2, domain, 0, 0, arena.allocate(8));
      assertThat(region.check(domain, 0, 0, 8)).isEqualTo(AccessFault.NONE);
    }
    assertThat(region.check(domain, 0, 0, 8)).isEqualTo(AccessFault.MEMORY_GONE);
  }

  @Test
  void anAtomicsTargetIsAlignedInItsAddressAndInMemory() {
    MemorySegment memory = Arena.ofAuto().allocate(64, 64);
    Region shifted = new Region(1, 2, domain, 0, 0x1000, memory.asSlice(4));
    assertThat(RemoteAtomics.isAligned(shifted, 0x1000)).isFalse();
    assertThat(RemoteAtomics.isAligned(shifted, 0x1004)).isFalse();
    Region plain = new Region(1, 2, domain, 0, 0x1000, memory);
    assertThat(RemoteAtomics.isAligned(plain, 0x1008)).isTrue();
    assertThat(RemoteAtomics.isAligned(plain, 0x100c)).isFalse();
    Region odd = new Region(1, 2, domain, 0, 0x1004, memory);
    assertThat(RemoteAtomics.isAligned(odd, 0x1008)).isFalse();
  }

  @Test
  void atomicsReturnWhatTheyFound() {
    MemorySegment memory = Arena.ofAuto().allocate(16, 8);
    Region region = new Region(1, 2, domain, 0, 0x1000, memory);
    assertThat(RemoteAtomics.fetchAndAdd(region.memory(), region.offset(0x1008), -1)).isZero();
    assertThat(RemoteAtomics.compareAndSwap(region.memory(), region.offset(0x1008), 5, 6))
        .isEqualTo(-1);
    assertThat(RemoteAtomics.compareAndSwap(region.memory(), region.offset(0x1008), -1, 6))
        .isEqualTo(-1);
    assertThat(RemoteAtomics.fetchAndAdd(region.memory(), region.offset(0x1008), Long.MAX_VALUE))
        .isEqualTo(6);
    assertThat(RemoteAtomics.fetchAndAdd(region.memory(), region.offset(0x1008), 0))
        .isEqualTo(Long.MIN_VALUE + 5);
    assertThat(RemoteAtomics.fetchAndAdd(region.memory(), region.offset(0x1000), 0)).isZero();
  }
}
