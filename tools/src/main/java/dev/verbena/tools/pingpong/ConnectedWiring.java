package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.UsualValues;
import dev.verbena.tools.pingpong.end.Destination;
import dev.verbena.tools.pingpong.end.PingpongEnd;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;

/** Connections, reliable or unreliable; the unreliable ones have neither timeouts nor retries. */
final class ConnectedWiring implements Wiring {
  private final PingpongEnd end;
  private final Mtu pathMtu;
  private final boolean isReliable;

  private ConnectedWiring(PingpongEnd end, Mtu pathMtu, boolean isReliable) {
    this.end = end;
    this.pathMtu = pathMtu;
    this.isReliable = isReliable;
  }

  static ConnectedWiring rc(PingpongEnd end, Mtu pathMtu) {
    return new ConnectedWiring(end, pathMtu, true);
  }

  static ConnectedWiring uc(PingpongEnd end, Mtu pathMtu) {
    return new ConnectedWiring(end, pathMtu, false);
  }

  @Override
  public void init(QueuePair qp) {
    qp.modify(end.port().toInit().qpAccessFlags(0));
  }

  @Override
  public void connect(QueuePair qp, Destination local, Destination remote) {
    QpAttr receive =
        new QpAttr()
            .qpState(QpState.RTR)
            .ahAttr(end.port().route(remote.gid(), remote.lid(), PingpongEnd.LINK_LOCAL_HOPS))
            .pathMtu(pathMtu)
            .destQpNum(remote.qpn())
            .rqPsn(remote.psn());
    QpAttr send = new QpAttr().qpState(QpState.RTS).sqPsn(local.psn());
    if (isReliable) {
      receive.maxDestRdAtomic(1).minRnrTimer(UsualValues.MIN_RNR_TIMER);
      send.timeout(UsualValues.TIMEOUT)
          .retryCnt(UsualValues.RETRIES)
          .rnrRetry(UsualValues.RETRIES)
          .maxRdAtomic(1);
    }
    qp.modify(receive);
    qp.modify(send);
  }
}
