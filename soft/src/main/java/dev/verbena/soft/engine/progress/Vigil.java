package dev.verbena.soft.engine.progress;

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

  /** When the thread last had a reason to be awake. */
  private long since;

  /** When the last packets came. */
  private long cameAt;

  private int hits;

  /** The first packets find it asleep. */
  public Vigil() {}

  /** The thread has been awake until now for another reason than a packet. */
  public void startsOver(long now) {
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
    since = now;
    cameAt = now;
  }

  /** Nothing came; returns whether to look again at once instead of sleeping. */
  public boolean goesOn(long now) {
    return hits >= ENOUGH && now - since <= NANOS && now - cameAt <= LONGEST_NANOS;
  }

  /** The thread goes to sleep; if that ends a vigil, it was in vain. */
  public void ends() {
    if (hits >= ENOUGH) {
      hits /= 2;
    }
  }
}
