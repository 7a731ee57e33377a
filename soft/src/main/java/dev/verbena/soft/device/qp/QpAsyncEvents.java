package dev.verbena.soft.device.qp;

import dev.verbena.soft.device.life.AsyncEvents;
import dev.verbena.soft.device.life.Unacknowledged;
import dev.verbena.verbs.EventType;

/** The asynchronous events of one handle of a queue pair. */
final class QpAsyncEvents {
  private final AsyncEvents events;
  private final SoftQueuePair qp;
  private final Unacknowledged unacknowledged = new Unacknowledged();

  /**
   * @param events of the handle's context
   * @param qp the handle, which events name
   */
  QpAsyncEvents(AsyncEvents events, SoftQueuePair qp) {
    this.events = events;
    this.qp = qp;
  }

  /** Raises an event. */
  void raise(EventType type) {
    events.raise(type, qp, unacknowledged);
  }

  /** Those that were taken. */
  Unacknowledged unacknowledged() {
    return unacknowledged;
  }

  /** The handle has ended: removes those that were not taken. */
  void purge() {
    events.purge(unacknowledged);
  }
}
