package dev.verbena.rdmacore.post;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

final class RegionsTest {
  private static final MemorySegment MEMORY = Arena.ofAuto().allocate(100);

  private static final int KEY = 77 << 8;

  private final Regions regions = new Regions();

  @Test
  void findsWhatWasAddedAndNotWhatHasEnded() {
    for (int key = 1; key <= 1000; key++) {
      Regions.Place place = regions.add(new RegisteredMemory(key << 8, MEMORY, key));
      if (key % 2 == 0) {
        place.end();
      }
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
      Regions.Place place = regions.add(registered);
      assertThat(regions.find(key)).isSameAs(registered);
      place.end();
      assertThat(regions.find(key)).isNull();
    }
  }

  @Test
  void whatIsAboutToEndOpensNothingButIsKnownUntilItHasEnded() {
    RegisteredMemory registered = new RegisteredMemory(KEY, MEMORY, 4096);
    Regions.Place place = regions.add(registered);
    place.suspend();
    assertThat(regions.find(KEY)).isNull();
    assertThat(place.isUsable(KEY)).isFalse();
    assertThat(regions.place(KEY).findAlsoEnding(KEY)).isSameAs(registered);
    place.resume();
    assertThat(regions.find(KEY)).isSameAs(registered);
    assertThat(place.isUsable(KEY)).isTrue();
    place.end();
    assertThat(regions.place(KEY)).isSameAs(Regions.Place.EMPTY);
  }

  @Test
  void aRegionThatHasGotTheKeyOfOneThatIsAboutToEndIsFoundInsteadAndStays() {
    Regions.Place ending = regions.add(new RegisteredMemory(KEY, MEMORY, 4096));
    ending.suspend();
    RegisteredMemory next = new RegisteredMemory(KEY, MEMORY, 4096);
    regions.add(next);
    assertThat(regions.find(KEY)).isSameAs(next);
    ending.end();
    assertThat(regions.find(KEY)).isSameAs(next);
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
