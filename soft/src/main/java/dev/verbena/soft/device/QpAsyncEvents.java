package dev.verbena.soft.device;

import dev.verbena.soft.transport.QpEvents;
import dev.verbena.verbs.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Takes a queue pair's events from its protocol machines, which exist before the object that the
 * events name.
 */
final class QpAsyncEvents implements QpEvents {
  private final AsyncEvents events;
  private final Unacknowledged unacknowledged = new Unacknowledged();
  private volatile @Nullable SoftQueuePair qp;

  QpAsyncEvents(AsyncEvents events) {
    this.events = events;
  }

  /** The queue pair is complete. */
  void of(SoftQueuePair queuePair) {
    qp = queuePair;
  }

  @Override
  public void raise(EventType type) {
    SoftQueuePair element = qp;
    // Nothing can happen to a queue pair in RESET, so none is lost.
    if (element != null) {
      events.raise(type, element, unacknowledged);
    }
  }

  /** Those that were taken. */
  Unacknowledged unacknowledged() {
    return unacknowledged;
  }

  /** The queue pair has ended: removes those that were not taken. */
  void purge() {
    events.purge(unacknowledged);
  }
}
