package dev.verbena.soft.transport.requester;

import dev.verbena.soft.transport.Clock;

/**
 * Observes how long the peer takes to answer. While packets get lost, a much longer silence reveals
 * a loss before the timer does. Used under the requester guard.
 */
final class AnswerTime {
  /** A silence is long if it is this many times the slowest answer. */
  private static final int MARGIN = 4;

  /** After this many times the slowest answer something was probably lost. */
  private static final int SILENCE = 16;

  /** Nanoseconds; a peer that has lost its processor for less than this is not silent. */
  private static final long SHORTEST_SILENCE = 300_000;

  /** Each answer reduces the memory of a slow one by this part. */
  private static final int FADING = 4;

  private static final int MOST_DOUBLINGS = 16;

  private static final long UNKNOWN = -1;

  private long slowest = UNKNOWN;
  private long begin;
  private long again = Clock.NEVER;

  /** Starts over without answers. */
  void reset() {
    slowest = UNKNOWN;
  }

  /** Starts waiting for an answer. */
  void begins(long now) {
    begin = now;
    again = Clock.NEVER;
  }

  /** No answer has come, and the request is sent again. */
  void triesAgain(long now) {
    again = now;
  }

  /**
   * The answer has come. If it may belong to the last try, it says nothing about the first.
   *
   * @return nanoseconds since the wait started
   */
  long ends(long now) {
    if (again == Clock.NEVER || now - again > slowest) {
      slowest = Math.max(now - begin, slowest - slowest / FADING);
    }
    return now - begin;
  }

  /**
   * The silence in nanoseconds after which another try makes sense, after this many tries in vain.
   */
  long longSilence(int tries) {
    return Math.max(SHORTEST_SILENCE, SILENCE * slowest) << Math.min(tries, MOST_DOUBLINGS);
  }

  /** Whether a silence of this many nanoseconds is long. */
  boolean isExceededBy(long nanos) {
    return slowest != UNKNOWN && slowest < nanos / MARGIN;
  }
}
