package dev.verbena.soft.transport;

import dev.verbena.verbs.QpState;

/**
 * What the protocol machines of a queue pair tell of themselves, for logs and recordings: what goes
 * wrong or takes another try, never what simply works. Called under the queue pair's guards, after
 * what it tells of is done; what is handed over is valid during the call only.
 */
public interface Journal {
  /** A request of the peer is not executed. */
  void refused(RefusedRequest request);

  /** The state has changed, by the program or by an error. */
  default void changed(QpState from, QpState to) {}

  /**
   * The requester goes back, to send again from a PSN.
   *
   * @param silence whether the timer says so; if not, an answer has
   */
  default void sendsAgain(int psn, boolean silence) {}

  /**
   * An answer that is no ACK: for a gap, a missing receive (RNR), or a refusal.
   *
   * @param psn that it is about
   * @param syndrome AETH syndrome (S12.6.4)
   * @param sent whether this side gives it; if not, it has come
   */
  default void nak(int psn, int syndrome, boolean sent) {}
}
