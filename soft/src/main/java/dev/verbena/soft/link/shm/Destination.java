package dev.verbena.soft.link.shm;

import dev.verbena.soft.link.Route;
import dev.verbena.wire.Address;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Sends to the present inbox of one address. Looks again from time to time for a missing inbox, and
 * detects one whose owner was killed. For one thread at a time.
 */
final class Destination {
  /** The result of sending a datagram. */
  enum Fate {
    SENT,
    /** There is no inbox, or its owner has taken nothing for a while. */
    LOST,
    /** There is currently no room. */
    REFUSED
  }

  /** The time between checks whether there is an inbox, or still the same one. */
  private static final long LOOK_NANOS = 1_000_000;

  private static final long ALIVE_NANOS = 10_000_000;

  /**
   * How long a sender waits for room in a full lane whose owner takes nothing: long enough for an
   * owner that was preempted, but a stopped process must not delay datagrams to others.
   */
  private static final long PATIENCE_NANOS = 5_000_000;

  private static final long NEVER = Long.MIN_VALUE;

  private final Rendezvous rendezvous;
  private final Address address;
  private final Address source;
  private @Nullable PeerInbox inbox;
  private @Nullable LaneWriter lane;
  private long lookedAt = NEVER;
  private long fullSince = NEVER;

  Destination(Rendezvous rendezvous, Address address, Address source) {
    this.rendezvous = rendezvous;
    this.address = address;
    this.source = source;
  }

  Fate send(MemorySegment datagram, int length, Route route, int marks, long now) {
    LaneWriter writer = find(now);
    PeerInbox owner = inbox;
    if (writer == null || owner == null) {
      return Fate.LOST;
    }
    if (writer.offer(datagram, length, route, marks)) {
      fullSince = NEVER;
      owner.signal();
      return Fate.SENT;
    }
    if (fullSince == NEVER) {
      fullSince = now;
    }
    return now - fullSince < PATIENCE_NANOS ? Fate.REFUSED : Fate.LOST;
  }

  private @Nullable LaneWriter find(long now) {
    PeerInbox known = inbox;
    if (known != null) {
      if (!known.isClosed() && (!isDue(now, ALIVE_NANOS) || known.isInUse())) {
        return lane;
      }
      close();
    } else if (!isDue(now, LOOK_NANOS)) {
      return null;
    }
    return look(now);
  }

  private boolean isDue(long now, long nanos) {
    if (lookedAt != NEVER && now - lookedAt < nanos) {
      return false;
    }
    lookedAt = now;
    return true;
  }

  private @Nullable LaneWriter look(long now) {
    lookedAt = now;
    PeerInbox found = PeerInbox.open(rendezvous, address);
    if (found == null) {
      return null;
    }
    LaneWriter taken = found.isInUse() ? found.takeLane(source) : null;
    if (taken == null) {
      found.close();
      return null;
    }
    inbox = found;
    lane = taken;
    fullSince = NEVER;
    return taken;
  }

  void close() {
    if (inbox != null) {
      inbox.close();
    }
    inbox = null;
    lane = null;
  }
}
