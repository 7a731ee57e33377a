package dev.verbena.verbs.provider;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Events in order of arrival, each taken by one reader. */
public final class EventQueue<E> {
  private final Deque<E> events = new ArrayDeque<>();
  private final Signal signal;

  /**
   * @param signal notified when the queue becomes non-empty and empty
   */
  public EventQueue(Signal signal) {
    this.signal = signal;
  }

  /** Appends an event. */
  public synchronized void push(E event) {
    events.add(event);
    if (events.size() == 1) {
      signal.raise();
    }
  }

  /** Takes the oldest event, or null if there is none. */
  public synchronized @Nullable E poll() {
    E event = events.poll();
    if (event != null) {
      if (events.isEmpty()) {
        signal.lower();
      } else {
        signal.remain();
      }
    }
    return event;
  }

  /** Removes events of an object that is being destroyed. */
  public synchronized void purge(Predicate<E> obsolete) {
    if (events.removeIf(obsolete) && events.isEmpty()) {
      signal.lower();
    }
  }

  /** Whether no event waits. */
  public synchronized boolean isEmpty() {
    return events.isEmpty();
  }
}
