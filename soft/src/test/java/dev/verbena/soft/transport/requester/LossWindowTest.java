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
  void eachLossHalvesItDownToThree() {
    window.limit(100);
    for (int most : new int[] {50, 25, 12, 6, 3, 3}) {
      window.lost();
      assertThat(window.listens()).isTrue();
      assertThat(window.limit(100)).isEqualTo(most);
    }
  }

  @Test
  void itGrowsByOneWhenAsMuchAsItHoldsHasArrivedUntilItIsThePaths() {
    window.limit(12);
    window.lost();
    window.arrived(5);
    assertThat(window.limit(12)).isEqualTo(6);
    window.arrived(1);
    assertThat(window.limit(12)).isEqualTo(7);
    window.arrived(6);
    assertThat(window.limit(12)).as("counts anew").isEqualTo(7);
    window.arrived(1);
    assertThat(window.limit(12)).isEqualTo(8);
    for (int most = 8; most < 12; most++) {
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
    assertThat(window.limit(12)).as("small packets").isEqualTo(6);
  }

  @Test
  void whatArrivedBeforeALossOrOnTheConnectionBeforeDoesNotCount() {
    window.limit(12);
    window.lost();
    window.arrived(5);
    window.lost();
    window.arrived(2);
    assertThat(window.limit(12)).isEqualTo(3);
    window.reset();
    assertThat(window.listens()).isFalse();
    assertThat(window.limit(12)).isEqualTo(12);
    window.lost();
    window.arrived(5);
    assertThat(window.limit(12)).isEqualTo(6);
  }
}
