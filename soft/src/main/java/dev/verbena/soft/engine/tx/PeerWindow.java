package dev.verbena.soft.engine.tx;

import dev.verbena.wire.Address;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What may be in flight to one destination, shared by the queue pairs that have something in
 * flight: a receiver's socket buffer is one for all of them.
 */
final class PeerWindow {
  private final Address destination;
  private final AtomicInteger senders = new AtomicInteger();
  // Guarded by PeerWindows.
  private int users;

  PeerWindow(Address destination) {
    this.destination = destination;
  }

  Address destination() {
    return destination;
  }

  /** Counts users, the queue pairs that are connected; returns how many there are. */
  int addUsers(int more) {
    users += more;
    return users;
  }

  /** A queue pair begins to have something in flight. */
  void begin() {
    senders.incrementAndGet();
  }

  /** A queue pair has nothing in flight any more. */
  void end() {
    senders.decrementAndGet();
  }

  /** What one of the senders may have in flight, of {@code total} packets in all; at least 1. */
  int share(int total) {
    return Math.max(1, total / Math.max(1, senders.get()));
  }
}
