package dev.verbena.soft.transport.requester;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * What may be in flight to one destination, shared evenly by the queue pairs that have something in
 * flight: a receiver's socket buffer is one for all of them, and so is the way there. Without loss
 * that is all that a healthy path takes.
 *
 * <p>A loss may be chance, so what it takes away is soon tried again. A notification says that the
 * receiver or the network had no room, as where others send there as well. So what it leaves is not
 * exceeded for a while. Then a quarter more is tried; if that brings the next notification, the
 * next while is twice as long, so that senders who have found their shares stay with them.
 *
 * <p>For any thread; what concurrent changes of the limit lose of each other does not matter.
 */
public final class PeerWindow {
  /**
   * What tells of a loss at once is a packet behind it, or its answer: where there are fewer of
   * them only the timer does, and where there are more, more is sent in vain.
   */
  private static final int LEAST = 3;

  /** Where so few are in flight, loss is heavy, and what is sent in vain is most of all. */
  private static final int SMALL = 8;

  /** From a notification until more is tried, nanoseconds: at first, and at the most. */
  private static final long FIRST_WHILE = 250_000_000;

  private static final long LONGEST_WHILE = 16_000_000_000L;

  private static final int UNLIMITED = Integer.MAX_VALUE;

  private final AtomicInteger senders = new AtomicInteger();

  /** PSNs of all senders. */
  private volatile int most = UNLIMITED;

  /** The most that the path has taken: more for READs and small packets than for large ones. */
  private volatile int widest;

  /** PSNs that {@link #most} does not exceed for a while. */
  private volatile int ceiling = UNLIMITED;

  /** The while, nanoseconds. */
  private volatile long pause = FIRST_WHILE;

  /** When it ends, engine time. */
  private volatile long raiseAt;

  /** Whether more was tried since the last notification. */
  private volatile boolean raised;

  /** One that nobody shares yet, and that has heard of no loss. */
  public PeerWindow() {}

  /** A queue pair begins to have something in flight. */
  void begin() {
    senders.incrementAndGet();
  }

  /** A queue pair has nothing in flight any more. */
  void end() {
    senders.decrementAndGet();
  }

  /** Whether it limits anything. */
  boolean isLimited() {
    return most != UNLIMITED;
  }

  /**
   * What one of the senders may have in flight; at least 1.
   *
   * @param ofPath what a healthy path takes of all senders
   */
  int share(int ofPath) {
    int even = Math.max(1, ofPath / Math.max(1, senders.get()));
    if (most == UNLIMITED) {
      return even;
    }
    if (ofPath > widest) {
      widest = ofPath;
    }
    return Math.min(even, share());
  }

  /** The same of what is left after losses. */
  int share() {
    return Math.max(LEAST, most / Math.max(1, senders.get()));
  }

  /**
   * A sender has lost something: takes a quarter of its share away, or a half of a small one. The
   * others lose as little as it does, for shares are even.
   */
  void lost(int ofPath) {
    int before = share(ofPath);
    int kept = Math.max(LEAST, before > SMALL ? before * 3 / 4 : before / 2);
    int all = most;
    if (all == UNLIMITED) {
      widest = ofPath;
    }
    most = Math.max(LEAST, Math.min(all, ofPath) - Math.max(0, before - kept));
  }

  /** A sender was told that there is no room for all that is sent. */
  void notified(int ofPath, long now) {
    if (raised) {
      raised = false;
      pause = Math.min(2 * pause, LONGEST_WHILE);
    }
    lost(ofPath);
    ceiling = most;
    raiseAt = now + pause;
  }

  /** What a sender may have in flight has arrived: one more may be. */
  void grow(long now) {
    if (ceiling != UNLIMITED && now >= raiseAt) {
      raise(now);
    }
    int before = most;
    if (before < ceiling) {
      most = before < widest - 1 ? before + 1 : UNLIMITED;
    }
  }

  private void raise(long now) {
    if (raised) {
      // What was tried last has done no harm.
      pause = Math.max(pause / 2, FIRST_WHILE);
    }
    raised = true;
    raiseAt = now + pause;
    int more = ceiling + Math.max(1, ceiling / 4);
    ceiling = more < widest ? more : UNLIMITED;
  }
}
