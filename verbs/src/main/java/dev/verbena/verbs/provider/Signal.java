package dev.verbena.verbs.provider;

/**
 * Notifies waiting threads and selectors of a queue's events. Made by the engine. Called by one
 * thread at a time.
 */
public interface Signal {
  /** The queue has got its first event. */
  void raise();

  /**
   * The queue has got more events, or some were removed, or an object has ended: who waits for an
   * event of one object should look again.
   */
  void change();

  /** One event was taken, and others are left. */
  void remain();

  /** The last event was taken. */
  void lower();
}
