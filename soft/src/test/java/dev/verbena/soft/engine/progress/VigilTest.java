package dev.verbena.soft.engine.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VigilTest {
  private static final long SOON = Vigil.NANOS;
  private static final long LATE = Vigil.NANOS + 1;

  private final Vigil vigil = new Vigil();
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
    assertThat(vigil.goesOn(now)).isFalse();
    comesSoon(1);
    assertThat(vigil.goesOn(now)).isTrue();
    assertThat(vigil.goesOn(now + SOON)).isTrue();
    assertThat(vigil.goesOn(now + LATE)).isFalse();
  }

  @Test
  void packetsThatComeLateDoNotCallForOne() {
    for (int i = 0; i < 100; i++) {
      comesAfter(LATE);
      assertThat(vigil.goesOn(now)).isFalse();
    }
  }

  @Test
  void aPacketIsSoonIfItFollowsTheProgramsLastCall() {
    for (int i = 0; i < Vigil.ENOUGH; i++) {
      now += 10 * LATE;
      vigil.came(now, true);
    }
    assertThat(vigil.goesOn(now)).isTrue();
  }

  @Test
  void afterSomeVigilsInVainThereAreNoMore() {
    comesSoon(100);
    int vigils = 0;
    while (vigil.goesOn(now)) {
      vigils++;
      vigil.ends();
    }
    assertThat(vigils).isBetween(1, 5);
  }

  @Test
  void theProgramsCallsProlongItButNotForEver() {
    comesSoon(100);
    long came = now;
    while (vigil.goesOn(now)) {
      now += SOON;
      vigil.startsOver(now);
    }
    assertThat(now - came).isBetween(2 * SOON, 100 * SOON);
  }
}
