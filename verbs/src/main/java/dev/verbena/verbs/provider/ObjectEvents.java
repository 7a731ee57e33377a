package dev.verbena.verbs.provider;

import dev.verbena.verbs.EventType;
import java.lang.ref.WeakReference;

/**
 * The asynchronous events of one object, for the device to raise. The device refers to this, which
 * keeps neither the object nor its context reachable, so an object that a program has lost gets no
 * events.
 */
public final class ObjectEvents {
  private final WeakReference<AsyncEvents> events;
  private final WeakReference<Object> object;
  private final Unacknowledged unacknowledged = new Unacknowledged();

  /**
   * @param events of the context
   * @param object the object that the events name
   */
  public ObjectEvents(AsyncEvents events, Object object) {
    this.events = events.weakly();
    this.object = new WeakReference<>(object);
  }

  /** Raises an event. */
  public void raise(EventType type) {
    AsyncEvents present = events.get();
    Object element = object.get();
    if (present != null && element != null) {
      present.raise(type, element, unacknowledged);
    }
  }

  /** The taken events. */
  public Unacknowledged unacknowledged() {
    return unacknowledged;
  }

  /** The object has ended: removes the events that were not taken. */
  public void purge() {
    AsyncEvents present = events.get();
    if (present != null) {
      present.purge(unacknowledged);
    }
  }
}
