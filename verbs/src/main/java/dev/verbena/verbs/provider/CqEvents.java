package dev.verbena.verbs.provider;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.VerbsException;

/**
 * The events of one completion queue: notifications, which a program takes from the queue's
 * channel, and asynchronous ones.
 */
public final class CqEvents {
  private final String name;
  private final Unacknowledged notifications = new Unacknowledged();
  private final ObjectEvents async;

  /**
   * @param name of the queue, for messages
   * @param async its asynchronous events
   */
  public CqEvents(String name, ObjectEvents async) {
    this.name = name;
    this.async = async;
  }

  /** Its asynchronous events. */
  public ObjectEvents async() {
    return async;
  }

  /** Raises an asynchronous event. */
  public void raise(EventType type) {
    async.raise(type);
  }

  /** A notification is being taken from the channel; false if the queue ends. */
  public boolean take() {
    return notifications.take();
  }

  /** The notification that was taken last is acknowledged when the queue ends. */
  public void defer() {
    notifications.defer();
  }

  /** How many were deferred. */
  public long deferred() {
    return notifications.deferred();
  }

  /** Whether the program gets no more notifications, because the queue ends. */
  public boolean isRetired() {
    return notifications.isRetired();
  }

  /**
   * Notifications that were taken are acknowledged.
   *
   * @throws VerbsException EINVAL if fewer are unacknowledged
   */
  public void acknowledge(int count) {
    if (count < 0 || !notifications.acknowledge(count)) {
      throw new VerbsException(
          "ackEvents",
          Errno.EINVAL,
          count
              + (count == 1 ? " event of " : " events of ")
              + name
              + " cannot be acknowledged: "
              + notifications.acknowledgeable()
              + " were taken and not acknowledged");
    }
  }

  /** As {@link Lifetime.Ending#awaitEvents}. */
  public void await() throws InterruptedException {
    Unacknowledged asynchronous = async.unacknowledged();
    do {
      notifications.awaitNone();
      asynchronous.awaitNone();
    } while (!Unacknowledged.retireIfNone(asynchronous, notifications));
  }

  /** As {@link Lifetime.Ending#dropEvents}. */
  public void drop() {
    async.unacknowledged().retire();
    notifications.retire();
  }

  /** As {@link Lifetime.Ending#tearDown}. */
  public void purge() {
    async.purge();
  }
}
