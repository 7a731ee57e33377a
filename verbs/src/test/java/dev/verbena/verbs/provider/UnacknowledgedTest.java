package dev.verbena.verbs.provider;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UnacknowledgedTest {
  private final Unacknowledged events = new Unacknowledged();

  /** Starts a thread that waits until all are acknowledged, and returns when it waits. */
  private Thread retires() {
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    events.retireWhenNone();
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                });
    while (thread.getState() != Thread.State.WAITING) {
      assertThat(thread.isAlive()).as("waits").isTrue();
      Thread.onSpinWait();
    }
    return thread;
  }

  @Test
  void anAcknowledgementEndsTheWaiting() throws InterruptedException {
    assertThat(events.take()).isTrue();
    Thread thread = retires();
    assertThat(events.acknowledge(1)).isTrue();
    thread.join();
    assertThat(events.isRetired()).isTrue();
    assertThat(events.take()).isFalse();
  }

  @Test
  void anEventThatIsDeferredWhileAThreadWaitsEndsTheWaitingToo() throws InterruptedException {
    assertThat(events.take()).isTrue();
    Thread thread = retires();
    events.defer();
    thread.join();
    assertThat(events.isRetired()).isTrue();
  }
}
