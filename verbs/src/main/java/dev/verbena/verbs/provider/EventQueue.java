package dev.verbena.verbs.provider;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Events in order of arrival, each taken by one reader. */
public final class EventQueue<E> {
  private final Deque<E> events = new ArrayDeque<>();
  private final Signal signal;
  private boolean ended;

  /**
   * @param signal raised while there is news for readers
   */
  public EventQueue(Signal signal) {
    this.signal = signal;
  }

  /** Appends an event. */
  public synchronized void push(E event) {
    events.add(event);
    if (events.size() == 1) {
      signal.raise();
    } else {
      signal.change();
    }
  }

  /** Takes the oldest event, or null if there is none. */
  public synchronized @Nullable E poll() {
    E event = events.poll();
    if (event != null) {
      taken();
    }
    return event;
  }

  /** No more events come, which is news for readers for ever. */
  public synchronized void end() {
    ended = true;
    signal.raise();
    signal.change();
  }

  /** Takes the oldest event that equals this one; returns false if there is none. */
  public synchronized boolean take(E event) {
    boolean found = events.remove(event);
    if (found) {
      taken();
    }
    return found;
  }

  private void taken() {
    if (hasNews()) {
      signal.remain();
    } else {
      signal.lower();
    }
  }

  /** Removes events of an object that is being destroyed. */
  public synchronized void purge(Predicate<E> obsolete) {
    if (events.removeIf(obsolete) && !hasNews()) {
      signal.lower();
    }
    signal.change();
  }

  /** Whether an event waits, or no more come. */
  public synchronized boolean hasNews() {
    return ended || !events.isEmpty();
  }
}
