package dev.verbena.tools.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.trace.PsnProgress.Place;
import org.junit.jupiter.api.Test;

class PsnProgressTest {
  private final PsnProgress progress = new PsnProgress();

  @Test
  void psnsGoOnBehindTheLargestOne() {
    assertThat(take(0xFFFFFF)).isEqualTo(Place.NEW);
    assertThat(take(0)).isEqualTo(Place.NEW);
    assertThat(progress.gaps()).isZero();
    assertThat(take(0xFFFFFF)).isEqualTo(Place.AGAIN);
  }

  @Test
  void whatIsLeftOutIsAGapUntilItComes() {
    take(5);
    assertThat(take(9)).isEqualTo(Place.NEW);
    assertThat(progress.lastGap()).isEqualTo(3);
    assertThat(take(7)).isEqualTo(Place.LATE);
    assertThat(take(7)).isEqualTo(Place.AGAIN);
    assertThat(progress.missing()).isEqualTo(2);
    assertThat(progress.gaps()).isEqualTo(1);
    assertThat(take(4)).isEqualTo(Place.LATE);
  }

  @Test
  void aReadTakesThePsnsOfItsResponse() {
    progress.take(10, 4, 0);
    assertThat(take(14)).isEqualTo(Place.NEW);
    assertThat(progress.lastGap()).isZero();
    assertThat(take(12)).isEqualTo(Place.AGAIN);
    assertThat(progress.take(13, 4, 0)).isEqualTo(Place.AGAIN);
    assertThat(take(17)).isEqualTo(Place.NEW);
    assertThat(progress.gaps()).isZero();
  }

  @Test
  void aLongReadMayBeAskedForAgainFromItsStart() {
    progress.take(10, 1 << 20, 0);
    assertThat(take(20)).isEqualTo(Place.AGAIN);
    assertThat(take(10 + (1 << 20))).isEqualTo(Place.NEW);
  }

  @Test
  void aJumpThatIsAllowedIsNoGap() {
    take(1);
    progress.take(20, 1, 18);
    assertThat(progress.gaps()).isZero();
    progress.take(40, 1, 18);
    assertThat(progress.gaps()).isEqualTo(1);
  }

  @Test
  void aPsnFarOffBelongsToAnotherConnection() {
    take(1);
    assertThat(take(0x400000)).isEqualTo(Place.RESTART);
    assertThat(take(0x400001)).isEqualTo(Place.NEW);
    assertThat(take(5)).isEqualTo(Place.RESTART);
    assertThat(progress.gaps()).isZero();
  }

  @Test
  void ofManyScatteredPsnsTheOldestCountAsSeen() {
    for (int psn = 0; psn < 20_000; psn += 2) {
      progress.take(psn, 1, 1);
    }
    assertThat(take(1)).isEqualTo(Place.AGAIN);
    assertThat(take(19_997)).isEqualTo(Place.LATE);
  }

  private Place take(int psn) {
    return progress.take(psn, 1, 0);
  }
}
