package dev.verbena.verbs.spi;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Iba;

/**
 * The destination of a management datagram, or the source of a received one, for the reply.
 *
 * @param route the route to the port; for a received datagram, the route back
 * @param qpn the queue pair at that port; 1 is the general services agent
 * @param qkey the Q_Key that it accepts, for queue pair 1 always {@link Iba#DEFAULT_QP1_QKEY}; for
 *     a received datagram, the Q_Key for the reply
 * @param pkeyIndex index of the P_Key in the local port's table
 */
public record MadAddress(AhAttr route, int qpn, int qkey, int pkeyIndex) {
  /** Queue pair 1 at the end of {@code route}, with the port's first P_Key. */
  public static MadAddress qp1(AhAttr route) {
    return new MadAddress(route, 1, Iba.DEFAULT_QP1_QKEY, 0);
  }
}
