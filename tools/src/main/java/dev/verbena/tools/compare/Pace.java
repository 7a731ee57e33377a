package dev.verbena.tools.compare;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Counts operations in the second half of a time; the first half, and what precedes it, is the
 * warm-up. However slow the computer is, at least one operation counts.
 */
final class Pace {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final long half;
  private final long warmUp;
  private final LongConsumer told;
  private final long start = System.nanoTime();
  private long measuredFrom;
  private long allocatedBefore;
  private long now = start;
  private long done;

  Pace(int seconds) {
    this(seconds, 0, _ -> {});
  }

  /**
   * Starts now.
   *
   * @param before seconds of warm-up that come first
   * @param told receives 0 when the measured part begins, and its operations when it is over
   */
  Pace(int seconds, int before, LongConsumer told) {
    this.told = told;
    half = TimeUnit.SECONDS.toNanos(seconds) / 2;
    warmUp = half + TimeUnit.SECONDS.toNanos(before);
  }

  /** Whether there is time left. */
  boolean goesOn() {
    return done == 0 || now - measuredFrom < half;
  }

  /** Whether operations count now. */
  boolean counts() {
    return measuredFrom != 0;
  }

  /** Adds completed operations. */
  void did(long count) {
    now = System.nanoTime();
    if (measuredFrom != 0) {
      done += count;
    } else if (now - start >= warmUp) {
      told.accept(0);
      allocatedBefore = allocated();
      now = System.nanoTime();
      measuredFrom = now;
    }
  }

  /** Operations per second. */
  double perSecond() {
    return done * 1e9 / Math.max(1, now - measuredFrom);
  }

  /**
   * A figure, with the bytes that all threads of this process have allocated for each operation.
   * Ends the measured part.
   */
  Figure figure(double value) {
    double bytes = allocated() - allocatedBefore;
    told.accept(done);
    return new Figure(value, bytes / Math.max(1, done), Double.NaN);
  }

  /** The bytes that all threads of this process have allocated so far. */
  static long allocated() {
    return THREADS.getTotalThreadAllocatedBytes();
  }
}
