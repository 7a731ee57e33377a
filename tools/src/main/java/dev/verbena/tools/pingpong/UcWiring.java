package dev.verbena.tools.pingpong;

import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;

/** Unreliable connections: what is not acknowledged has neither timeouts nor retries. */
final class UcWiring implements Wiring {
  private final PingpongEnd end;
  private final Mtu pathMtu;

  UcWiring(PingpongEnd end, Mtu pathMtu) {
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
            .rqPsn(remote.psn()));
    qp.modify(new QpAttr().qpState(QpState.RTS).sqPsn(local.psn()));
  }
}
