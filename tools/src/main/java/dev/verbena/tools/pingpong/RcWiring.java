package dev.verbena.tools.pingpong;

import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;

/** Reliable connections. */
final class RcWiring implements Wiring {
  private static final int TIMEOUT = 14;
  private static final int RETRIES = 7;
  private static final int MIN_RNR_TIMER = 12;

  private final PingpongEnd end;
  private final Mtu pathMtu;

  RcWiring(PingpongEnd end, Mtu pathMtu) {
    this.end = end;
    this.pathMtu = pathMtu;
  }

  @Override
  public void init(QueuePair qp) {
    qp.modify(end.toInit().qpAccessFlags(0));
  }

  @Override
  public void connect(QueuePair qp, Destination local, Destination remote) {
    qp.modify(
        new QpAttr()
            .qpState(QpState.RTR)
            .ahAttr(end.route(remote, PingpongEnd.LINK_LOCAL_HOPS))
            .pathMtu(pathMtu)
            .destQpNum(remote.qpn())
            .rqPsn(remote.psn())
            .maxDestRdAtomic(1)
            .minRnrTimer(MIN_RNR_TIMER));
    qp.modify(
        new QpAttr()
            .qpState(QpState.RTS)
            .timeout(TIMEOUT)
            .retryCnt(RETRIES)
            .rnrRetry(RETRIES)
            .sqPsn(local.psn())
            .maxRdAtomic(1));
  }
}
