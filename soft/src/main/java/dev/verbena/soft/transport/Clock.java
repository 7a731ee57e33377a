package dev.verbena.soft.transport;

/** The engine's time. Read only when a timer must be armed, which is rare on the loopback. */
@FunctionalInterface
public interface Clock {
  /** A deadline that never comes. */
  long NEVER = Long.MAX_VALUE;

  /** Nanoseconds since some moment; never negative. */
  long now();
}
