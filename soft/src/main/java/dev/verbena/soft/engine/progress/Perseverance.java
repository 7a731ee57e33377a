package dev.verbena.soft.engine.progress;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a thread going, whatever its work throws and however often. With no heap left even a pause
 * or a report may throw, so both run inside the try block, and the work goes on without them.
 * Outside it nothing is called or allocated.
 */
public final class Perseverance {
  private static final long PAUSE_NANOS = 1_000_000;
  private static final Duration LONGEST_END = Duration.ofSeconds(5);

  private final Failures failures;
  private final String doing;

  /** The failure not reported yet. Used by the thread only. */
  private @Nullable Throwable failure;

  /**
   * @param doing what the thread does, for messages
   */
  public Perseverance(Failures failures, String doing) {
    this.failures = failures;
    this.doing = doing;
  }

  /** Does the work again and again. */
  public void run(BooleanSupplier stopped, Runnable work) {
    while (!stopped.getAsBoolean()) {
      try {
        report();
      } catch (RuntimeException | Error e) {
        // The first of several, because later ones come from the attempt to report it.
        if (failure == null) {
          failure = e;
        }
      }
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        if (failure == null) {
          failure = e;
        }
      }
    }
  }

  /**
   * Waits for the end of such a thread, which was told to stop; for some seconds at most, in case
   * it runs a program's code. An interrupt does not shorten that.
   *
   * @return whether it has ended
   */
  public static boolean awaitEnd(Thread thread) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return thread.join(LONGEST_END);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void report() {
    Throwable met = failure;
    if (met != null) {
      LockSupport.parkNanos(this, PAUSE_NANOS);
      failures.add(doing, met);
      failure = null;
    }
    failures.report();
  }
}
