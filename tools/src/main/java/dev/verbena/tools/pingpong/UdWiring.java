package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.UsualValues;
import dev.verbena.tools.pingpong.end.Destination;
import dev.verbena.tools.pingpong.end.PingpongEnd;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendWr;
import org.jspecify.annotations.Nullable;

/** Datagrams: the queue pair has no connection, and each send names the peer. */
final class UdWiring implements Wiring {
  private final PingpongEnd end;
  private final SendWr send;
  private @Nullable AddressHandle ah;

  /** The wiring of a queue pair that posts this request, in which it sets the destination. */
  UdWiring(PingpongEnd end, SendWr send) {
    this.end = end;
    this.send = send;
  }

  @Override
  public void init(QueuePair qp) {
    qp.modify(end.port().toInit().qkey(UsualValues.QKEY));
  }

  @Override
  public void connect(QueuePair qp, Destination local, Destination remote) {
    qp.modify(new QpAttr().qpState(QpState.RTR));
    qp.modify(new QpAttr().qpState(QpState.RTS).sqPsn(local.psn()));
    ah = end.pd().createAh(end.port().route(remote.gid(), remote.lid(), UsualValues.HOPS));
    send.ah(ah).remoteQpn(remote.qpn()).remoteQkey(UsualValues.QKEY);
  }

  @Override
  public void release() {
    if (ah != null) {
      ah.destroy();
    }
  }
}
