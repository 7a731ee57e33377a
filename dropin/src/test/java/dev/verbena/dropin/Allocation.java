package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** What a thread allocates. */
final class Allocation {
  // Few enough that some lie between two waits for a guard: a thread that waits allocates its place
  // in the queue, which happens every few milliseconds where threads share processors.
  private static final int ROUNDS = 1_000;

  /** Parts, of so many rounds each, that have to allocate nothing. */
  private static final int PARTS = 10;

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

  private Allocation() {}

  /** Warms up first: method handles allocate until the JIT compiler has compiled them. */
  static void assertNone(Runnable round) {
    int parts = 0;
    long least = Long.MAX_VALUE;
    long end = System.nanoTime() + PATIENCE;
    while (parts < PARTS && System.nanoTime() < end) {
      long bytes = allocated(round);
      least = Math.min(least, bytes);
      parts += bytes == 0 ? 1 : 0;
    }
    assertThat(least).as("bytes allocated in " + ROUNDS + " rounds").isZero();
    assertThat(parts).as("parts without an allocation").isEqualTo(PARTS);
  }

  private static long allocated(Runnable round) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < ROUNDS; i++) {
      round.run();
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }
}
