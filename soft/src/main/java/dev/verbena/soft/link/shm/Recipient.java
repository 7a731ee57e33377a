package dev.verbena.soft.link.shm;

import dev.verbena.soft.link.Route;
import dev.verbena.wire.Address;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Sends to the present inbox of one address. Looks again from time to time for a missing inbox,
 * detects one whose owner was killed, and gives up a ring whose reader waits for something else.
 * For one thread at a time.
 */
final class Recipient {
  /** The result of sending a datagram; if it is lost, with the reason. */
  enum Fate {
    SENT(""),
    /** There is currently no room. */
    REFUSED(""),
    NO_INBOX("no process of this user has a device there that shares memory"),
    NO_RING("all rings of its inbox are in use, or its process cannot be woken"),
    TAKES_NOTHING("its ring is full, and its process takes nothing");

    private final String reason;

    Fate(String reason) {
      this.reason = reason;
    }

    boolean isLost() {
      return !reason.isEmpty();
    }

    String reason() {
      return reason;
    }
  }

  /** The time between checks whether there is an inbox. */
  private static final long LOOK_NANOS = 1_000_000;

  /** The time between checks whether it is still the same one, and reads what is sent. */
  private static final long CHECK_NANOS = 10_000_000;

  /**
   * How long a sender waits for room in a full ring whose owner takes nothing: long enough for an
   * owner that was preempted, but a stopped process must not delay datagrams to others.
   */
  private static final long PATIENCE_NANOS = 5_000_000;

  private static final long NEVER = Long.MIN_VALUE;

  private final Rendezvous rendezvous;
  private final Address address;
  private final Address source;
  private @Nullable PeerInbox inbox;
  private @Nullable RingWriter ring;
  private Fate obstacle = Fate.NO_INBOX;
  private long lookedAt = NEVER;
  private long fullSince = NEVER;

  Recipient(Rendezvous rendezvous, Address address, Address source) {
    this.rendezvous = rendezvous;
    this.address = address;
    this.source = source;
  }

  Fate send(MemorySegment datagram, int length, Route route, int marks, long now) {
    RingWriter writer = find(now);
    PeerInbox owner = inbox;
    if (writer == null || owner == null) {
      return obstacle;
    }
    if (writer.offer(datagram, length, route, marks)) {
      fullSince = NEVER;
      owner.signal();
      return Fate.SENT;
    }
    if (fullSince == NEVER) {
      fullSince = now;
    }
    return now - fullSince < PATIENCE_NANOS ? Fate.REFUSED : Fate.TAKES_NOTHING;
  }

  private @Nullable RingWriter find(long now) {
    PeerInbox known = inbox;
    RingWriter writer = ring;
    if (known != null && writer != null) {
      if (!known.isClosed() && (!isDue(now, CHECK_NANOS) || isUsable(known, writer))) {
        return writer;
      }
      close();
    } else if (!isDue(now, LOOK_NANOS)) {
      return null;
    }
    return look(now);
  }

  private static boolean isUsable(PeerInbox owner, RingWriter writer) {
    owner.announceRing();
    return owner.isInUse() && writer.isInStep();
  }

  private boolean isDue(long now, long nanos) {
    if (lookedAt != NEVER && now - lookedAt < nanos) {
      return false;
    }
    lookedAt = now;
    return true;
  }

  private @Nullable RingWriter look(long now) {
    lookedAt = now;
    obstacle = Fate.NO_INBOX;
    PeerInbox found = PeerInbox.open(rendezvous, address);
    if (found == null) {
      return null;
    }
    RingWriter taken = null;
    if (found.isInUse()) {
      obstacle = Fate.NO_RING;
      taken = found.takeRing(source);
    }
    if (taken == null) {
      found.close();
      return null;
    }
    inbox = found;
    ring = taken;
    fullSince = NEVER;
    return taken;
  }

  /** Whether there is an inbox to send to at this moment, also if there was none just now. */
  boolean isThere(long now) {
    PeerInbox known = inbox;
    RingWriter writer = ring;
    if (known != null
        && writer != null
        && isUsable(known, writer)
        && known.isPublished(rendezvous, address)) {
      return true;
    }
    close();
    return look(now) != null;
  }

  /** Whether it has an inbox to send to. */
  boolean isOpen() {
    return inbox != null;
  }

  void close() {
    if (inbox != null) {
      inbox.close();
    }
    inbox = null;
    ring = null;
  }
}
