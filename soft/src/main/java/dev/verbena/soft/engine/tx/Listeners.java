package dev.verbena.soft.engine.tx;

import java.util.HashSet;
import java.util.Set;

/** The queue pairs of an engine that expect packets: answers to their own, or from anywhere. */
public final class Listeners {
  private final Set<Transmitter> listeners = new HashSet<>();

  /** Whether there is any. */
  public volatile boolean any;

  /** Nobody. */
  public Listeners() {}

  /** A queue pair expects packets. Idempotent. */
  synchronized void add(Transmitter who) {
    listeners.add(who);
    any = true;
  }

  /** Takes back {@link #add}. Idempotent. */
  synchronized void remove(Transmitter who) {
    listeners.remove(who);
    any = !listeners.isEmpty();
  }
}
