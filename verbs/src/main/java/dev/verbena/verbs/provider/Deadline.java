package dev.verbena.verbs.provider;

import java.time.Duration;

/** The time until which a call waits. */
public final class Deadline {
  private static final long FOREVER = -1;

  private final boolean bounded;
  private final long end;

  private Deadline(boolean bounded, long end) {
    this.bounded = bounded;
    this.end = end;
  }

  /** Never. */
  public static Deadline never() {
    return new Deadline(false, 0);
  }

  /** After this time from now; zero or less means at once. */
  public static Deadline after(Duration timeout) {
    long nanos;
    try {
      nanos = timeout.toNanos();
    } catch (ArithmeticException e) {
      // 292 years and more.
      return timeout.isNegative() ? new Deadline(true, System.nanoTime()) : never();
    }
    return new Deadline(true, System.nanoTime() + Math.max(0, nanos));
  }

  /** Nanoseconds left, 0 if none are, negative for no end. */
  long left() {
    return bounded ? Math.max(0, end - System.nanoTime()) : FOREVER;
  }
}
