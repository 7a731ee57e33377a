package dev.verbena.verbs.provider;

/**
 * How a queue of events tells waiting threads and selectors. Made by the engine. Called by one
 * thread at a time.
 */
public interface Signal {
  /** The queue has got its first event. */
  void raise();

  /** One event was taken, and others are left. */
  void remain();

  /** The last event was taken. */
  void lower();
}
