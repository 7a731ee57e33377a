package dev.verbena.soft.transport.requester;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LossWindowTest {
  private static final long NOW = 0;
  private static final long WHILE = 250_000_000;

  private final PeerWindow peer = new PeerWindow();
  private final LossWindow window = another();

  private LossWindow another() {
    return new LossWindow(peer, () -> {});
  }

  @Test
  void withoutLossItLimitsNothing() {
    assertThat(window.limit(100)).isEqualTo(100);
    assertThat(window.listens()).isFalse();
  }

  @Test
  void eachLossTakesAQuarterOfItAndOfASmallOneAHalfDownToThree() {
    window.limit(100);
    for (int most : new int[] {75, 56, 42, 31, 23, 17, 12, 9, 6, 3, 3}) {
      window.lost(NOW);
      assertThat(window.listens()).isTrue();
      assertThat(window.limit(100)).isEqualTo(most);
    }
  }

  @Test
  void itGrowsByOneWhenAsMuchAsItHoldsHasArrivedUntilItIsThePaths() {
    window.limit(12);
    window.lost(NOW);
    window.arrived(8, NOW);
    assertThat(window.limit(12)).isEqualTo(9);
    window.arrived(1, NOW);
    assertThat(window.limit(12)).isEqualTo(10);
    window.arrived(9, NOW);
    assertThat(window.limit(12)).as("counts anew").isEqualTo(10);
    window.arrived(1, NOW);
    assertThat(window.limit(12)).isEqualTo(11);
    window.arrived(11, NOW);
    assertThat(window.limit(12)).isEqualTo(12);
    assertThat(window.listens()).as("as large as the path's").isFalse();
  }

  @Test
  void aLossIsNotForgottenOverPacketsOfWhichThePathTakesFewer() {
    window.limit(12);
    window.lost(NOW);
    assertThat(window.limit(4)).as("large packets").isEqualTo(4);
    assertThat(window.listens()).isTrue();
    assertThat(window.limit(12)).as("small packets").isEqualTo(9);
  }

  @Test
  void whatArrivedBeforeALossDoesNotCount() {
    window.limit(12);
    window.lost(NOW);
    window.arrived(8, NOW);
    window.lost(NOW);
    window.arrived(5, NOW);
    assertThat(window.limit(12)).isEqualTo(6);
    window.arrived(1, NOW);
    assertThat(window.limit(12)).isEqualTo(7);
  }

  @Test
  void notificationsCountAsOneLossUntilAsMuchAsIsAllowedHasArrived() {
    window.limit(100);
    window.notified(NOW);
    window.notified(NOW);
    assertThat(window.limit(100)).isEqualTo(75);
    window.arrived(75, NOW);
    window.notified(NOW);
    assertThat(window.limit(100)).as("of 75").isEqualTo(56);
  }

  @Test
  void thoseWhoHaveSomethingInFlightShareEvenly() {
    LossWindow other = another();
    assertThat(window.limit(45)).isEqualTo(45);
    assertThat(other.limit(45)).isEqualTo(22);
    assertThat(another().limit(45)).isEqualTo(15);
    other.rest();
    other.rest();
    assertThat(window.limit(45)).isEqualTo(22);
    assertThat(other.limit(45)).as("again").isEqualTo(15);
  }

  @Test
  void everyoneMaySendSomething() {
    for (int i = 0; i < 1000; i++) {
      another().limit(45);
    }
    assertThat(window.limit(45)).isEqualTo(1);
  }

  @Test
  void whatOneHasLostIsFeltByAllAndAsMuchAsIfItWereAlone() {
    LossWindow other = another();
    other.limit(100);
    assertThat(window.limit(100)).isEqualTo(50);
    window.lost(NOW);
    assertThat(window.limit(100)).as("87 of 100 are left").isEqualTo(43);
    assertThat(other.limit(100)).isEqualTo(43);
    other.lost(NOW);
    assertThat(window.limit(100)).as("76").isEqualTo(38);
    other.rest();
    assertThat(window.limit(100)).isEqualTo(76);
  }

  @Test
  void eachOfThemLetsTheSharedLimitGrow() {
    LossWindow other = another();
    other.limit(100);
    window.limit(100);
    window.lost(NOW);
    window.arrived(43, NOW);
    other.arrived(43, NOW);
    other.arrived(1, NOW);
    other.rest();
    assertThat(window.limit(100)).as("87, and 2").isEqualTo(89);
  }

  @Test
  void whoSendsTheLastOnceKeepsTheLeastThatTellsOfALoss() {
    LossWindow other = another();
    window.limit(100);
    for (int i = 0; i < 20; i++) {
      window.lost(NOW);
    }
    assertThat(other.limit(100)).isEqualTo(3);
    assertThat(window.limit(100)).isEqualTo(3);
  }

  @Test
  void whoEndsLeavesItsShareAndSaysSo() {
    AtomicInteger ended = new AtomicInteger();
    LossWindow other = new LossWindow(peer, ended::incrementAndGet);
    window.limit(40);
    assertThat(other.limit(40)).isEqualTo(20);
    other.end();
    assertThat(ended).hasValue(1);
    assertThat(window.limit(40)).isEqualTo(40);
  }

  /** All that is in flight arrives so many times. */
  private void arrive(int times, long now) {
    for (int i = 0; i < times; i++) {
      window.arrived(window.limit(100), now);
    }
  }

  @Test
  void whatANotificationLeavesIsNotExceededForAWhile() {
    window.limit(100);
    window.notified(NOW);
    arrive(10, WHILE - 1);
    assertThat(window.limit(100)).isEqualTo(75);
    arrive(30, WHILE);
    assertThat(window.limit(100)).as("a sixteenth of 100 more").isEqualTo(81);
    arrive(30, 2 * WHILE);
    assertThat(window.limit(100)).isEqualTo(87);
    for (int i = 3; window.listens(); i++) {
      arrive(30, i * WHILE);
    }
    assertThat(window.limit(100)).isEqualTo(100);
    assertThat(window.listens()).isFalse();
  }

  @Test
  void aNotificationIsNoticeOfWhatIsInFlightAndOfNothingElse() {
    LossWindow other = another();
    other.limit(100);
    window.notified(NOW);
    assertThat(other.limit(100)).as("nothing was sent by the other one").isEqualTo(100);
    window.limit(100);
    window.rest();
    window.notified(NOW);
    assertThat(other.limit(100)).as("all had arrived").isEqualTo(100);
  }

  @Test
  void theNextNotificationCountsWhenAllHasArrived() {
    window.limit(100);
    window.notified(NOW);
    window.rest();
    window.limit(100);
    window.notified(NOW);
    assertThat(window.limit(100)).as("of 75").isEqualTo(56);
  }

  @Test
  void theNextNotificationCountsWhenAnotherHasLiftedTheLimit() {
    LossWindow other = another();
    window.limit(100);
    window.notified(NOW);
    other.limit(100);
    for (int i = 0; other.listens(); i++) {
      other.arrived(other.limit(100), i * WHILE);
    }
    other.rest();
    assertThat(window.limit(100)).isEqualTo(100);
    window.notified(NOW);
    assertThat(window.limit(100)).isEqualTo(75);
  }

  @Test
  void theWhileDoublesIfMoreWasTooMuchAgain() {
    window.limit(100);
    window.notified(NOW);
    arrive(30, WHILE);
    window.notified(WHILE);
    assertThat(window.limit(100)).as("of 81").isEqualTo(60);
    arrive(30, 3 * WHILE - 1);
    assertThat(window.limit(100)).isEqualTo(60);
    arrive(1, 3 * WHILE);
    assertThat(window.limit(100)).isEqualTo(61);
  }

  @Test
  void aLossBelowThatIsSoonTriedAgain() {
    window.limit(100);
    window.notified(NOW);
    window.lost(NOW);
    assertThat(window.limit(100)).isEqualTo(56);
    arrive(30, NOW);
    assertThat(window.limit(100)).isEqualTo(75);
  }
}
