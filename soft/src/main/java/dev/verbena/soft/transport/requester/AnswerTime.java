package dev.verbena.soft.transport.requester;

import dev.verbena.soft.transport.Clock;

/**
 * How long the peer takes to answer, as far as it was seen: where packets get lost, a silence that
 * is much longer tells of a loss before the timer does. Under the requester guard.
 */
final class AnswerTime {
  /** A silence is long if it is so many times the slowest answer. */
  private static final int MARGIN = 4;

  /** After so many times the slowest answer it is likely that something was lost. */
  private static final int SILENCE = 16;

  /** A peer that has lost its processor for less than this, nanoseconds, is not silent. */
  private static final long SHORTEST_SILENCE = 300_000;

  /** A slow answer is forgotten by this part with each that follows. */
  private static final int FADING = 4;

  private static final int MOST_DOUBLINGS = 16;

  private static final long UNKNOWN = -1;

  private long slowest = UNKNOWN;
  private long begin;
  private long again = Clock.NEVER;

  /** No answer was seen so far. */
  void reset() {
    slowest = UNKNOWN;
  }

  /** From now on an answer is awaited. */
  void begins(long now) {
    begin = now;
    again = Clock.NEVER;
  }

  /** No answer has come, and what it is awaited to is sent again. */
  void triesAgain(long now) {
    again = now;
  }

  /**
   * The answer has come. If it may as well be to the last try, it tells nothing of the first.
   *
   * @return nanoseconds since it was awaited
   */
  long ends(long now) {
    if (again == Clock.NEVER || now - again > slowest) {
      slowest = Math.max(now - begin, slowest - slowest / FADING);
    }
    return now - begin;
  }

  /**
   * How long a silence is, in nanoseconds, after which it is worth sending again, though that was
   * done so often in vain.
   */
  long longSilence(int tries) {
    return Math.max(SHORTEST_SILENCE, SILENCE * slowest) << Math.min(tries, MOST_DOUBLINGS);
  }

  /** Whether a silence of so many nanoseconds is long. */
  boolean isExceededBy(long nanos) {
    return slowest != UNKNOWN && slowest < nanos / MARGIN;
  }
}
