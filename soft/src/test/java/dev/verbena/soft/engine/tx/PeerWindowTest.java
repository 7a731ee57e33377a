package dev.verbena.soft.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Address;
import org.junit.jupiter.api.Test;

class PeerWindowTest {
  private final PeerWindows windows = new PeerWindows();

  @Test
  void oneSenderHasItAllAndSeveralShareIt() {
    PeerWindow window = windows.acquire(new Address(0, 1));
    window.begin();
    assertThat(window.share(45)).isEqualTo(45);
    window.begin();
    window.begin();
    assertThat(window.share(45)).isEqualTo(15);
    window.end();
    assertThat(window.share(45)).isEqualTo(22);
  }

  @Test
  void everySenderMaySendSomething() {
    PeerWindow window = windows.acquire(new Address(0, 1));
    for (int i = 0; i < 1000; i++) {
      window.begin();
    }
    assertThat(window.share(45)).isEqualTo(1);
  }

  @Test
  void queuePairsToOneDestinationHaveOneWindow() {
    PeerWindow window = windows.acquire(new Address(7, 1));
    assertThat(windows.acquire(new Address(7, 1))).isSameAs(window);
    assertThat(windows.acquire(new Address(7, 2))).isNotSameAs(window);
    assertThat(windows.acquire(new Address(8, 1))).isNotSameAs(window);
  }

  @Test
  void aDestinationIsForgottenWithItsLastQueuePair() {
    assertThat(windows.isInUse()).isFalse();
    PeerWindow window = windows.acquire(new Address(7, 1));
    windows.acquire(new Address(7, 1));
    windows.release(window);
    assertThat(windows.isInUse()).isTrue();
    windows.release(window);
    assertThat(windows.isInUse()).isFalse();
    assertThat(windows.acquire(new Address(7, 1))).isNotSameAs(window);
  }
}
