package dev.verbena.tools.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class TickerTest {
  private static final Duration INTERVAL = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** When ticks came. */
  private final BlockingQueue<Long> ticks = new LinkedBlockingQueue<>();

  private final CompletableFuture<Thread> thread = new CompletableFuture<>();

  @Test
  void aTickComesAfterEachIntervalUntilNobodyWantsMore() throws Exception {
    long before = System.nanoTime();
    Ticker.Ticking ticking = Ticker.byThreads().every(INTERVAL, this::tick);
    for (int i = 0; i < 5; i++) {
      Long now = ticks.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(now).isNotNull();
      assertThat(now - before).isGreaterThanOrEqualTo(INTERVAL.toNanos());
      before = now;
    }
    ticking.close();

    assertThat(thread.get().isDaemon()).isTrue();
    assertThat(thread.get().join(PATIENCE)).as("ended").isTrue();
  }

  private void tick() {
    thread.complete(Thread.currentThread());
    ticks.add(System.nanoTime());
  }
}
