package dev.verbena.tools.perf;

import dev.verbena.tools.kit.LocalPort;
import dev.verbena.tools.kit.UsualValues;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import org.jspecify.annotations.Nullable;

/** A queue pair of this end, one of the peer's, and the memory that they use. */
final class Lane {
  private final QueuePair qp;
  private final PerfKey local;
  private final long source;
  private @Nullable PerfKey remote;
  private @Nullable AddressHandle ah;

  /**
   * @param local its address for the peer, and the memory that the peer uses
   * @param source address of its own messages
   */
  Lane(QueuePair qp, PerfKey local, long source) {
    this.qp = qp;
    this.local = local;
    this.source = source;
  }

  QueuePair qp() {
    return qp;
  }

  PerfKey local() {
    return local;
  }

  long source() {
    return source;
  }

  PerfKey remote() {
    if (remote == null) {
      throw new IllegalStateException("not connected yet");
    }
    return remote;
  }

  /** The destination of datagrams; null on a connection. */
  @Nullable AddressHandle ah() {
    return ah;
  }

  /** From RESET to INIT, where receives can be posted. */
  static void init(QueuePair qp, LocalPort port, int access) {
    QpAttr attr = port.toInit();
    qp.modify(qp.qpType() == QpType.UD ? attr.qkey(UsualValues.QKEY) : attr.qpAccessFlags(access));
  }

  /** From INIT to RTS. */
  void connect(PerfKey peer, ProtectionDomain pd, LocalPort port, Mtu mtu, int ackTimeout) {
    remote = peer;
    QpAttr receive = new QpAttr().qpState(QpState.RTR);
    QpAttr send = new QpAttr().qpState(QpState.RTS).sqPsn(local.psn());
    if (qp.qpType() == QpType.UD) {
      ah = pd.createAh(port.route(peer.gid(), peer.lid(), UsualValues.HOPS));
    } else {
      receive
          .ahAttr(port.route(peer.gid(), peer.lid(), UsualValues.HOPS))
          .pathMtu(mtu)
          .destQpNum(peer.qpn())
          .rqPsn(peer.psn());
    }
    if (qp.qpType() == QpType.RC) {
      receive.maxDestRdAtomic(local.outReads()).minRnrTimer(UsualValues.MIN_RNR_TIMER);
      send.timeout(ackTimeout)
          .retryCnt(UsualValues.RETRIES)
          .rnrRetry(UsualValues.RETRIES)
          .maxRdAtomic(peer.outReads());
    }
    qp.modify(receive);
    qp.modify(send);
  }

  /** Destroys the queue pair and the objects created for the connection. */
  void destroy() {
    qp.destroy();
    if (ah != null) {
      ah.destroy();
    }
  }
}
