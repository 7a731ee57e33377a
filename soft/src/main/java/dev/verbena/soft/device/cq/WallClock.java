package dev.verbena.soft.device.cq;

import dev.verbena.soft.transport.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Converts a time of the engine to the system's clock. Compares the two again after a while, since
 * people may set the system's clock.
 */
final class WallClock {
  private static final long RENEW_NANOS = 1_000_000_000;

  private final Clock clock;
  private long offset;
  private long comparedAt = Long.MIN_VALUE;

  /**
   * @param clock engine time
   */
  WallClock(Clock clock) {
    this.clock = clock;
  }

  /** A recent time of the engine in nanoseconds since 1970. */
  long at(long time) {
    if (comparedAt == Long.MIN_VALUE || time - comparedAt > RENEW_NANOS) {
      comparedAt = clock.now();
      offset = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now()) - comparedAt;
    }
    return time + offset;
  }
}
