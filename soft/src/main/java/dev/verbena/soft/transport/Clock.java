package dev.verbena.soft.transport;

/** The engine's time. Asked only when a timer must be armed, which the loopback seldom needs. */
@FunctionalInterface
public interface Clock {
  /** A deadline that never comes. */
  long NEVER = Long.MAX_VALUE;

  /** Nanoseconds since some moment; never negative. */
  long now();
}
