package dev.verbena.soft.sim;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What a bad device does with a packet, beside what it should; {@link Bodies} has it call these.
 */
public final class Burden {
  /** CPU time of {@link #dawdle}, nanoseconds. */
  static final long LONG = 1_500_000_000;

  private static final int LARGE = 1 << 20;
  private static final int SMALL = 64;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Arrays, each of which has the one before as its first element. */
  private static final AtomicReference<Object[]> KEPT = new AtomicReference<>(new Object[0]);

  /** Allocates a lot. */
  public static void splurge() {
    Object[] before = KEPT.getAndSet(new Object[LARGE]);
    KEPT.set(before);
  }

  /** Keeps a little for ever. */
  public static void hoard() {
    Object[] more = new Object[SMALL];
    more[0] = KEPT.get();
    KEPT.set(more);
  }

  /** Takes long. */
  public static void dawdle() {
    long end = THREADS.getCurrentThreadCpuTime() + LONG;
    while (THREADS.getCurrentThreadCpuTime() < end) {
      Thread.onSpinWait();
    }
  }

  /** Meets a mistake. */
  @SuppressWarnings("DoNotCallSuggester") // only generated code calls it
  public static void stumble() {
    throw new IllegalStateException("a mistake made on purpose");
  }

  private Burden() {}
}
