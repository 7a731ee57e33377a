package dev.verbena.soft.transport.requester;

import dev.verbena.wire.Aeth;
import dev.verbena.wire.AethSyndrome;

/**
 * End-to-end credits (S12.5.11): messages that find no receive are better not sent, because they,
 * and all behind them, would have to be sent again. Each acknowledgement of the peer says for how
 * many more it has receives, or that it does not count them; until the first one comes there is no
 * limit. Under the requester guard.
 */
final class Credits {
  /**
   * Nanoseconds for which the peer must be silent until a message is sent without credits: longer
   * than a program with as many busy threads as processors waits for its turn.
   */
  static final long PATIENCE = 10_000_000;

  /** After so many silences in a row a peer gets messages as if it did not count its receives. */
  private static final int MOST_SILENCES = 2;

  private static final long UNLIMITED = Long.MAX_VALUE;

  /** Messages that take a receive, since the connection began. */
  private long started;

  /** Those of them that are complete. */
  private long ended;

  /** Whether the peer counts its receives. */
  boolean limited;

  /** How many may be started, if it does. */
  private long limit;

  /** Whether one message goes without credits. */
  private boolean asks;

  /** Whether it is under way. */
  private boolean asked;

  /** How often in a row such a message found a receive that the peer had not announced. */
  private int silences;

  Credits() {
    start();
  }

  /** A connection begins. */
  void start() {
    started = 0;
    ended = 0;
    limited = false;
    limit = UNLIMITED;
    asks = false;
    asked = false;
    silences = 0;
  }

  /** Whether one more may be started. */
  boolean admit() {
    return started < limit || asks;
  }

  /** A message was started. */
  void started() {
    started++;
    asked |= asks;
    asks = false;
  }

  /** The oldest message is complete. */
  void ended() {
    ended++;
  }

  /** The peer has no receive for the oldest message. */
  void refused() {
    asked = false;
  }

  /** The next message is to find out whether there is a receive now. */
  void ask() {
    asks = true;
  }

  /**
   * The peer has acknowledged something.
   *
   * @param aeth of that ACK
   */
  void are(int aeth) {
    if (asked) {
      asked = false;
      silences++;
    }
    long now = silences < MOST_SILENCES ? limit(aeth) : UNLIMITED;
    // It may be less than before, as there is not a code for each number.
    limit = limited ? Math.max(limit, now) : now;
    limited = limit != UNLIMITED;
  }

  /**
   * The peer has acknowledged again what it had acknowledged before.
   *
   * @return whether more messages may be sent now
   */
  boolean grow(int aeth) {
    boolean isNew = limit(aeth) > limit;
    if (isNew) {
      asked = false;
      silences = 0;
      are(aeth);
    }
    return isNew;
  }

  private long limit(int aeth) {
    int syndrome = Aeth.syndrome(aeth);
    return syndrome == AethSyndrome.ACK_UNLIMITED
        ? UNLIMITED
        : ended + AethSyndrome.credits(AethSyndrome.code(syndrome));
  }
}
