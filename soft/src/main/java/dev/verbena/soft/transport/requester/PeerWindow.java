package dev.verbena.soft.transport.requester;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The limit for what may be in flight to one destination, shared evenly by the queue pairs that
 * have something in flight, because they share the receiver's socket buffer and the way there.
 * Without loss it is all that a healthy path takes.
 *
 * <p>A loss may be chance, so the limit soon grows again. A notification says that the receiver or
 * the network had no room, for example because others send there as well. So the limit that it
 * leaves stays for a while. Then more is tried; if that causes the next notification, the next
 * pause is twice as long, so that senders that have found their shares keep them. All try for as
 * many more, and a notification takes a part, so the shares of senders that know nothing of each
 * other become more even.
 *
 * <p>For any thread; lost concurrent changes of the limit do not matter.
 */
public final class PeerWindow {
  /**
   * A later packet, or its answer, reveals a loss at once: with fewer packets only the timer does,
   * and with more, more is sent in vain.
   */
  private static final int LEAST = 3;

  /** This part of what a healthy path takes is tried for after a pause. */
  private static final int TRIED = 16;

  /** With so few in flight, loss is heavy, and packets sent in vain are the majority. */
  private static final int SMALL = 8;

  /** Nanoseconds from a notification until more is tried, first and longest. */
  private static final long FIRST_WHILE = 250_000_000;

  private static final long LONGEST_WHILE = 16_000_000_000L;

  /** The value of {@link #most} without a limit. */
  static final int UNLIMITED = Integer.MAX_VALUE;

  private final AtomicInteger senders = new AtomicInteger();

  /** PSNs of all senders; {@link #UNLIMITED} without a limit. */
  volatile int most = UNLIMITED;

  /**
   * The most that the path has taken, which is more for READs and small packets than for large
   * ones.
   */
  private volatile int widest;

  /** A number of PSNs that {@link #most} does not exceed during the pause. */
  private volatile int ceiling = UNLIMITED;

  /** The length of the pause, nanoseconds. */
  private volatile long pause = FIRST_WHILE;

  /** When it ends, engine time. */
  private volatile long raiseAt;

  /** Whether more was tried since the last notification. */
  private volatile boolean raised;

  /** A window without users and without losses. */
  public PeerWindow() {}

  /** A queue pair now has something in flight. */
  void begin() {
    senders.incrementAndGet();
  }

  /** A queue pair no longer has anything in flight. */
  void end() {
    senders.decrementAndGet();
  }

  /**
   * The share of one sender; at least 1.
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

  /** The share of what is left after losses. */
  int share() {
    return Math.max(LEAST, most / Math.max(1, senders.get()));
  }

  /**
   * A sender has lost something: removes a quarter of its share, or half of a small one. The others
   * lose as little as it does, because shares are even.
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

  /** A sender was notified that there is no room for everything that is sent. */
  void notified(int ofPath, long now) {
    if (raised) {
      raised = false;
      pause = Math.min(2 * pause, LONGEST_WHILE);
    }
    lost(ofPath);
    ceiling = most;
    raiseAt = now + pause;
  }

  /** Everything that a sender may have in flight has arrived, so one more may be. */
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
      // The last increase has done no harm.
      pause = Math.max(pause / 2, FIRST_WHILE);
    }
    raised = true;
    raiseAt = now + pause;
    int more = ceiling + Math.max(1, widest / TRIED);
    ceiling = more < widest ? more : UNLIMITED;
  }
}
