package dev.verbena.soft.sim;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendWr;

/**
 * The destination of a datagram.
 *
 * @param ah address
 * @param qpn queue pair
 * @param qkey its Q_Key
 */
record UdDestination(AddressHandle ah, int qpn, int qkey) implements Addressing {
  @Override
  public void put(SendWr wr) {
    wr.ah(ah).remoteQpn(qpn).remoteQkey(qkey);
  }

  @Override
  public void put(QueuePairEx qp) {
    qp.wrSetUdAddr(ah, qpn, qkey);
  }
}
