package dev.verbena.soft.engine.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VigilTest {
  private static final long SOON = Vigil.NANOS;
  private static final long LATE = Vigil.NANOS + 1;

  private final Vigil vigil = new Vigil(time -> true);
  private long now = 1_000_000_000;

  private void comesAfter(long nanos) {
    now += nanos;
    vigil.came(now, false);
  }

  private void comesSoon(int times) {
    for (int i = 0; i < times; i++) {
      comesAfter(SOON);
    }
  }

  @Test
  void isKeptOncePacketsHaveFollowedOneAnother() {
    comesAfter(LATE);
    comesSoon(Vigil.ENOUGH - 1);
    assertThat(vigil.isKept(now)).isFalse();
    comesSoon(1);
    assertThat(vigil.isKept(now)).isTrue();
    assertThat(vigil.isKept(now + SOON)).isTrue();
    assertThat(vigil.isKept(now + LATE)).isFalse();
  }

  @Test
  void packetsThatComeLateDoNotCallForOne() {
    for (int i = 0; i < 100; i++) {
      comesAfter(LATE);
      assertThat(vigil.isKept(now)).isFalse();
    }
  }

  @Test
  void aPacketIsSoonIfItFollowsTheProgramsLastCall() {
    for (int i = 0; i < Vigil.ENOUGH; i++) {
      now += 10 * LATE;
      vigil.came(now, true);
    }
    assertThat(vigil.isKept(now)).isTrue();
  }

  @Test
  void afterSomeVigilsInVainThereAreNoMore() {
    comesSoon(100);
    int vigils = 0;
    while (vigil.isKept(now)) {
      vigils++;
      vigil.wasInVain();
    }
    assertThat(vigils).isBetween(1, 5);
  }

  @Test
  void theProgramsCallsProlongItButNotForEver() {
    comesSoon(100);
    long came = now;
    while (vigil.isKept(now)) {
      now += SOON;
      vigil.worked(now);
    }
    assertThat(now - came).isBetween(2 * SOON, 100 * SOON);
  }

  @Test
  void workWithoutPacketsDoesNotMakeTheNextPacketLate() {
    comesSoon(Vigil.ENOUGH);
    now += 10 * LATE;
    vigil.worked(now);
    comesSoon(1);
    assertThat(vigil.isKept(now)).isTrue();
  }

  @Test
  void howLongTheThreadHasSleptCountsNotWhenItWoke() {
    comesSoon(Vigil.ENOUGH);
    vigil.sleeps();
    comesAfter(LATE);
    assertThat(vigil.isKept(now)).as("a packet after a long sleep").isFalse();
    comesSoon(Vigil.ENOUGH);
    vigil.sleeps();
    now += 10 * LATE;
    vigil.nothingCame(now);
    comesSoon(1);
    assertThat(vigil.isKept(now)).as("a packet soon after it was woken in vain").isTrue();
  }

  @Test
  void withoutRoomToSpinThereIsNone() {
    Vigil few = new Vigil(time -> false);
    for (int i = 0; i < 2 * Vigil.ENOUGH; i++) {
      few.came(now, true);
    }
    assertThat(few.isKept(now)).isFalse();
  }
}
