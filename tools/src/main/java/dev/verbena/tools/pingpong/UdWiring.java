package dev.verbena.tools.pingpong;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendWr;
import org.jspecify.annotations.Nullable;

/** Datagrams: the queue pair has no connection, and each send names the peer. */
final class UdWiring implements Wiring {
  /** The Q_Key of both ends. */
  private static final int QKEY = 0x11111111;

  private static final int HOPS = 64;

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
    qp.modify(end.port().toInit().qkey(QKEY));
  }

  @Override
  public void connect(QueuePair qp, Destination local, Destination remote) {
    qp.modify(new QpAttr().qpState(QpState.RTR));
    qp.modify(new QpAttr().qpState(QpState.RTS).sqPsn(local.psn()));
    ah = end.pd().createAh(end.port().route(remote.gid(), remote.lid(), HOPS));
    send.ah(ah).remoteQpn(remote.qpn()).remoteQkey(QKEY);
  }

  @Override
  public void release() {
    if (ah != null) {
      ah.destroy();
    }
  }
}
