package dev.verbena.soft.engine.progress;

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
