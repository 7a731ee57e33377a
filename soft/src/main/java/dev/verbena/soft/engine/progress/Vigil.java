package dev.verbena.soft.engine.progress;

import java.util.function.LongPredicate;

/**
 * Whether the engine thread looks for packets for a while before it sleeps. Waking a thread takes
 * longer than a packet is under way, so a vigil pays if the next packet usually comes soon, as it
 * does when two programs answer each other; otherwise it wastes a processor. What came lately
 * decides, whether it found the thread awake or asleep. Used by the engine thread.
 */
public final class Vigil {
  /** The length of a vigil, nanoseconds: about what falling asleep and waking take. */
  public static final long NANOS = 50_000;

  /** The length of a vigil that the program prolongs by polling. */
  private static final long LONGEST_NANOS = 400_000;

  /** So many packets that came within a vigil, or would have, call for one. */
  static final int ENOUGH = 4;

  private static final int MOST = 16;

  private final LongPredicate room;

  /** When the thread last had a reason to be awake. */
  private long since;

  /** When the last packets came. */
  private long cameAt;

  private boolean asleep;
  private int hits;

  /**
   * Before the first packet.
   *
   * @param room whether at this time a thread may spin without keeping others from running
   */
  public Vigil(LongPredicate room) {
    this.room = room;
  }

  /** The thread goes to sleep. */
  public void sleeps() {
    asleep = true;
  }

  /** The thread had something else to do until now. */
  public void worked(long now) {
    asleep = false;
    since = now;
  }

  /**
   * Packets came.
   *
   * @param atWork whether the program has called the device within {@link #NANOS}, so that a vigil
   *     would have lasted until now
   */
  public void came(long now, boolean atWork) {
    if (atWork || now - since <= NANOS) {
      hits = Math.min(hits + 1, MOST);
    } else {
      hits /= 2;
    }
    worked(now);
    cameAt = now;
  }

  /** Nothing came: if the thread was asleep, something else has woken it. */
  public void nothingCame(long now) {
    if (asleep) {
      worked(now);
    }
  }

  /** Whether to look again at once instead of sleeping. */
  public boolean isKept(long now) {
    return hits >= ENOUGH
        && now - since <= NANOS
        && now - cameAt <= LONGEST_NANOS
        && room.test(now);
  }

  /** The last vigil was in vain, if there was one. */
  public void wasInVain() {
    if (hits >= ENOUGH) {
      hits /= 2;
    }
  }
}
