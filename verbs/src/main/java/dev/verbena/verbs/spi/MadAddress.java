package dev.verbena.verbs.spi;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Iba;

/**
 * Where a management datagram goes, or where one came from and would be answered.
 *
 * @param route the way to the port; of one that came in, the way back
 * @param qpn the queue pair there; 1 is the agent of general services
 * @param qkey the Q_Key that it takes, of queue pair 1 always {@link Iba#DEFAULT_QP1_QKEY}; of a
 *     datagram that came in the one to answer with
 * @param pkeyIndex index of the P_Key in the local port's table
 */
public record MadAddress(AhAttr route, int qpn, int qkey, int pkeyIndex) {
  /** Queue pair 1 at the end of {@code route}, with the port's first P_Key. */
  public static MadAddress qp1(AhAttr route) {
    return new MadAddress(route, 1, Iba.DEFAULT_QP1_QKEY, 0);
  }
}
