package dev.verbena.soft.transport;

import dev.verbena.verbs.QpState;

/**
 * Receives reports of a queue pair's protocol machines for logs and recordings: what goes wrong or
 * takes another try, never what simply works. Called under the queue pair's guards, after the
 * reported action; arguments are valid only during the call.
 */
public interface Journal {
  /** A request of the peer is not executed. */
  void refused(RefusedRequest request);

  /** The state has changed, by the program or by an error. */
  default void changed(QpState from, QpState to) {}

  /**
   * The requester goes back, to send again from a PSN.
   *
   * @param silence true for the timer, false for an answer
   */
  default void sendsAgain(int psn, boolean silence) {}

  /**
   * An answer that is not an ACK: for a gap, a missing receive (RNR), or a refusal.
   *
   * @param psn the PSN that it names
   * @param syndrome AETH syndrome (S12.6.4)
   * @param sent true if this side sent it, false if it was received
   */
  default void nak(int psn, int syndrome, boolean sent) {}

  /** Describes in a line for people what was dropped since RTR, if anything was. */
  default void dump(StringBuilder text) {}
}
