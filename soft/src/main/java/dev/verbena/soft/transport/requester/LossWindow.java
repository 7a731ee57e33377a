package dev.verbena.soft.transport.requester;

/**
 * What may be in flight while packets get lost. A responder drops all that follows a lost packet,
 * and all of it is sent again (S12.5.6, S12.6.2): the more is in flight, the more is sent in vain.
 * So each loss halves this window, and each time that as much as it holds has arrived it grows by
 * one, until it is as large as the path's. Without loss it limits nothing. Under the requester
 * guard.
 */
final class LossWindow {
  /**
   * What tells of a loss at once is a packet behind it, or its answer: where there are fewer of
   * them only the timer does, and where there are more, more is sent in vain.
   */
  private static final int LEAST = 3;

  private static final int UNLIMITED = Integer.MAX_VALUE;

  private int most = UNLIMITED;
  private int ofPath = UNLIMITED;
  private int arrived;

  /** No packet was lost so far. */
  void reset() {
    most = UNLIMITED;
    arrived = 0;
  }

  /** Whether it limits anything. */
  boolean isActive() {
    return most != UNLIMITED;
  }

  /** What may be in flight of what the path takes. */
  int limit(int window) {
    ofPath = window;
    if (most >= window) {
      most = UNLIMITED;
      return window;
    }
    return most;
  }

  /**
   * A packet or its answer was lost, or has come before its turn: a responder keeps nothing behind
   * a gap, so that costs as much.
   */
  void lost() {
    most = Math.max(LEAST, Math.min(most, ofPath) / 2);
    arrived = 0;
  }

  /** So many PSNs were acknowledged. */
  void arrived(int psns) {
    arrived += psns;
    if (arrived >= most) {
      arrived = 0;
      most++;
    }
  }
}
