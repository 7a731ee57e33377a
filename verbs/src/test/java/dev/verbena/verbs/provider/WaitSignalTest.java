package dev.verbena.verbs.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.EventSource.Readiness;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WaitSignalTest {
  private static final long FOR_EVER = -1;

  private final AtomicInteger announced = new AtomicInteger();
  private final WaitSignal signal = new WaitSignal(announced::incrementAndGet);

  @AfterEach
  void close() {
    signal.close();
  }

  @Test
  void aRaisedSignalDoesNotBlock() throws InterruptedException {
    signal.raise();
    assertThat(signal.isRaised()).isTrue();
    assertThat(signal.await(FOR_EVER)).isTrue();
    signal.lower();
    assertThat(signal.isRaised()).isFalse();
    assertThat(signal.await(0)).isFalse();
    assertThat(announced).as("nobody was about to block").hasValue(0);
  }

  @Test
  void waitingEndsWithTheTime() throws InterruptedException {
    assertThat(signal.await(Duration.ofMillis(5).toNanos())).isFalse();
    assertThat(announced).hasValue(1);
  }

  @Test
  void waitingEndsWhenTheSignalIsRaised() {
    CompletableFuture<Boolean> waiter = startWaiting();
    signal.raise();
    assertThat(waiter.join()).isTrue();
  }

  @Test
  void waitingEndsWhenTheSignalIsClosed() {
    CompletableFuture<Boolean> waiter = startWaiting();
    signal.close();
    assertThat(waiter.join()).isFalse();
  }

  @Test
  void waitingIsInterruptible() throws InterruptedException {
    AtomicInteger interrupted = new AtomicInteger();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    signal.await(FOR_EVER);
                  } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                  }
                });
    thread.interrupt();
    thread.join();
    assertThat(interrupted).hasValue(1);
  }

  /** Writes down what it is told. */
  private static final class Notes implements Readiness {
    private final List<String> told = new ArrayList<>();

    @Override
    public void ready() {
      told.add("ready");
    }

    @Override
    public void drained() {
      told.add("drained");
    }
  }

  @Test
  void aListenerIsToldOfEveryChangeOnce() {
    Notes notes = new Notes();
    signal.onReadiness(notes);
    assertThat(notes.told).isEmpty();
    signal.lower();
    signal.raise();
    signal.raise();
    signal.remain();
    signal.lower();
    signal.lower();
    signal.remain();
    assertThat(notes.told).containsExactly("ready", "ready", "drained");
  }

  @Test
  void aListenerThatComesLaterIsToldAtOnceAndTheFormerOneNoMore() {
    Notes former = new Notes();
    Notes later = new Notes();
    signal.onReadiness(former);
    signal.raise();
    signal.onReadiness(later);
    signal.lower();
    assertThat(former.told).containsExactly("ready");
    assertThat(later.told).containsExactly("ready", "drained");
    signal.onReadiness(null);
    signal.raise();
    signal.remain();
    signal.lower();
    assertThat(later.told).containsExactly("ready", "drained");
  }

  @Test
  void aListenerIsToldNothingOfAClosedSignal() {
    Notes notes = new Notes();
    signal.onReadiness(notes);
    signal.close();
    signal.raise();
    signal.onReadiness(notes);
    assertThat(notes.told).isEmpty();
  }

  @Test
  void aListenerThatThrowsDoesNotDisturbTheOneWhoRaises() {
    AtomicInteger calls = new AtomicInteger();
    signal.onReadiness(
        new Readiness() {
          @Override
          public void ready() {
            calls.incrementAndGet();
            throw new IllegalStateException("a fault of the listener");
          }

          @Override
          public void drained() {
            calls.incrementAndGet();
            throw new IllegalStateException("a fault of the listener");
          }
        });
    signal.raise();
    assertThat(signal.isRaised()).isTrue();
    signal.lower();
    assertThat(signal.isRaised()).isFalse();
    assertThat(calls).hasValue(2);
  }

  private CompletableFuture<Boolean> startWaiting() {
    CompletableFuture<Boolean> waiter =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return signal.await(FOR_EVER);
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    while (announced.get() == 0) {
      Thread.onSpinWait();
    }
    return waiter;
  }

  @Test
  void theChannelIsReadableWhileTheSignalIsRaised() throws IOException {
    try (Selector selector = Selector.open()) {
      SelectionKey key = signal.selectable().register(selector, SelectionKey.OP_READ);
      assertThat(signal.selectable()).isSameAs(key.channel());
      for (int i = 0; i < 100_000; i += 9_999) {
        assertThat(selector.selectNow()).isZero();
        signal.raise();
        signal.raise();
        assertThat(selector.select()).isEqualTo(1);
        selector.selectedKeys().clear();
        assertThat(selector.select()).as("level-triggered").isEqualTo(1);
        selector.selectedKeys().clear();
        signal.lower();
        signal.lower();
      }
    }
  }

  @Test
  void aSelectorBlocksUntilAnotherThreadRaisesTheSignal() throws IOException {
    try (Selector selector = Selector.open()) {
      signal.selectable().register(selector, SelectionKey.OP_READ);
      CompletableFuture<Void> raiser = CompletableFuture.runAsync(signal::raise);
      assertThat(selector.select()).isEqualTo(1);
      raiser.join();
    }
  }

  @Test
  void aChannelThatIsMadeWhileTheSignalIsRaisedIsReadable() throws IOException {
    signal.raise();
    try (Selector selector = Selector.open()) {
      signal.selectable().register(selector, SelectionKey.OP_READ);
      assertThat(selector.select()).isEqualTo(1);
    }
  }

  @Test
  void theEndOfASignalEndsTheNextSelectionOfASelectorThatKnowsIt() throws IOException {
    Selector gone = Selector.open();
    signal.register(gone);
    gone.close();
    try (Selector selector = Selector.open()) {
      assertThat(signal.register(selector)).isEqualTo(signal.register(selector));
      signal.close();
      // Has no more keys, so nothing else would end it.
      assertThat(selector.select()).isZero();
      assertThat(selector.keys()).isEmpty();
      assertThatThrownBy(() -> signal.register(selector)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aClosedSignalStaysLowered() {
    signal.close();
    signal.raise();
    assertThat(signal.isRaised()).isFalse();
    assertThatThrownBy(signal::selectable).isInstanceOf(IllegalStateException.class);
  }
}
