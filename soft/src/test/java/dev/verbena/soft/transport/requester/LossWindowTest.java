package dev.verbena.soft.transport.requester;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LossWindowTest {
  private final LossWindow window = new LossWindow();

  @Test
  void withoutLossItLimitsNothing() {
    assertThat(window.limit(100)).isEqualTo(100);
    assertThat(window.listens()).isFalse();
  }

  @Test
  void eachLossTakesAQuarterOfItAndOfASmallOneAHalfDownToThree() {
    window.limit(100);
    for (int most : new int[] {75, 56, 42, 31, 23, 17, 12, 9, 6, 3, 3}) {
      window.lost();
      assertThat(window.listens()).isTrue();
      assertThat(window.limit(100)).isEqualTo(most);
    }
  }

  @Test
  void itGrowsByOneWhenAsMuchAsItHoldsHasArrivedUntilItIsThePaths() {
    window.limit(12);
    window.lost();
    window.arrived(8);
    assertThat(window.limit(12)).isEqualTo(9);
    window.arrived(1);
    assertThat(window.limit(12)).isEqualTo(10);
    window.arrived(9);
    assertThat(window.limit(12)).as("counts anew").isEqualTo(10);
    window.arrived(1);
    assertThat(window.limit(12)).isEqualTo(11);
    for (int most = 11; most < 12; most++) {
      window.arrived(most);
    }
    assertThat(window.limit(12)).isEqualTo(12);
    assertThat(window.listens()).as("as large as the path's").isFalse();
  }

  @Test
  void aLossIsNotForgottenOverPacketsOfWhichThePathTakesFewer() {
    window.limit(12);
    window.lost();
    assertThat(window.limit(4)).as("large packets").isEqualTo(4);
    assertThat(window.listens()).isTrue();
    assertThat(window.limit(12)).as("small packets").isEqualTo(9);
  }

  @Test
  void whatArrivedBeforeALossOrOnTheConnectionBeforeDoesNotCount() {
    window.limit(12);
    window.lost();
    window.arrived(8);
    window.lost();
    window.arrived(5);
    assertThat(window.limit(12)).isEqualTo(6);
    window.reset();
    assertThat(window.listens()).isFalse();
    assertThat(window.limit(12)).isEqualTo(12);
    window.lost();
    window.arrived(8);
    assertThat(window.limit(12)).isEqualTo(9);
  }

  @Test
  void notificationsCountAsOneLossUntilAsMuchAsIsAllowedHasArrived() {
    window.limit(100);
    window.notified();
    window.notified();
    assertThat(window.limit(100)).isEqualTo(75);
    window.arrived(75);
    window.notified();
    assertThat(window.limit(100)).as("of 76").isEqualTo(57);
    window.reset();
    window.limit(100);
    window.notified();
    assertThat(window.limit(100)).as("on another connection").isEqualTo(75);
  }
}
