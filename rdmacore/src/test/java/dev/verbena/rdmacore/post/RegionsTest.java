package dev.verbena.rdmacore.post;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

final class RegionsTest {
  private static final MemorySegment MEMORY = Arena.ofAuto().allocate(100);

  private final Regions regions = new Regions();

  @Test
  void findsWhatWasAddedAndNotWhatWasRemoved() {
    for (int key = 1; key <= 1000; key++) {
      regions.add(new RegisteredMemory(key << 8, MEMORY, key));
    }
    for (int key = 2; key <= 1000; key += 2) {
      regions.remove(new RegisteredMemory(key << 8, MEMORY, key));
    }
    for (int key = 1; key <= 1000; key++) {
      RegisteredMemory found = regions.find(key << 8);
      assertThat(found == null).as("key %d", key).isEqualTo(key % 2 == 0);
      assertThat(found == null || found.addr() == key).isTrue();
    }
    assertThat(regions.find(1)).isNull();
  }

  @Test
  void takesAnyNumberOneAfterTheOther() {
    for (int key = 1; key <= 10_000; key++) {
      RegisteredMemory registered = new RegisteredMemory(key, MEMORY, key);
      regions.add(registered);
      assertThat(regions.find(key)).isSameAs(registered);
      regions.remove(registered);
      assertThat(regions.find(key)).isNull();
    }
  }

  @Test
  void coversItsAddressesOnly() {
    RegisteredMemory registered = new RegisteredMemory(1, MEMORY, 4096);
    assertThat(registered.covers(4096, 100)).isTrue();
    assertThat(registered.covers(4196, 0)).isTrue();
    assertThat(registered.covers(4095, 1)).isFalse();
    assertThat(registered.covers(4097, 100)).isFalse();
    assertThat(registered.covers(4096, -1)).isFalse();
    assertThat(registered.covers(Long.MAX_VALUE, Long.MAX_VALUE)).isFalse();
  }
}
