package dev.verbena.verbs.vtools;

/**
 * How often a thread that waits yields before it sleeps, learned from its waits.
 *
 * <p>Where answers come soon, staying awake is the fastest way to wait, also among more threads
 * than processors: a yield lets the others work, and costs less than to fall asleep and be woken.
 * It does not pay if waits are long, or if a thread that yields gets its processor back only after
 * a whole time slice, because another one computes. Then the next waits sleep at once, until a
 * trial shows that staying awake pays again.
 *
 * <p>Such a trial may cost a time slice, too. So each one in vain doubles the number of waits until
 * the next one, and each short wait takes back one of them: some waits are short beside threads
 * that compute, too, but few.
 *
 * <p>For one thread at a time.
 */
final class YieldLimit {
  /** Without others they take about 0.1 ms, more than a round trip to another process. */
  static final int MOST = 128;

  /** Below it, a thread does not stay awake at all. */
  private static final int LEAST = 8;

  /** The fewest and the most waits in a row that sleep at once. */
  static final int FEWEST_SLEEPS = 256;

  static final int MOST_SLEEPS = 4096;

  private int yields = MOST;

  /** How many waits are to sleep at once when staying awake does not pay. */
  private int sleeps = FEWEST_SLEEPS;

  /** How many of those are left until the next trial. */
  private int left;

  /** The most yields of the next wait; 0 if it is to sleep at once. */
  int yields() {
    return yields;
  }

  /**
   * A wait has ended.
   *
   * @param slept whether the thread has slept
   * @param crowded whether a yield has taken a time slice
   */
  void learn(boolean slept, boolean crowded) {
    if (yields == 0) {
      left--;
      yields = left == 0 ? MOST : 0;
    } else if (!slept && !crowded) {
      yields = Math.min(2 * yields, MOST);
      sleeps = Math.max(sleeps - 1, FEWEST_SLEEPS);
    } else if (!crowded && yields > LEAST) {
      yields /= 2;
    } else {
      yields = 0;
      left = sleeps;
      sleeps = Math.min(2 * sleeps, MOST_SLEEPS);
    }
  }
}
