package dev.verbena.tck.torture;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.XrcDomain;
import org.jspecify.annotations.Nullable;

/** The queue pair of a target; with XRC, that and a shared receive queue. */
final class TargetQueues implements AutoCloseable {
  private final ProtectionDomain pd;
  private final CompletionQueue recvCq;
  private final QpInitAttr attr;
  private final int receives;
  private final @Nullable XrcDomain xrcd;
  private @Nullable SharedReceiveQueue srq;
  private QueuePair qp;

  TargetQueues(
      Traffic traffic, ProtectionDomain pd, CompletionQueue sendCq, CompletionQueue recvCq) {
    this.pd = pd;
    this.recvCq = recvCq;
    receives = 2 * traffic.batch();
    Service service = traffic.service();
    xrcd = service == Service.XRC ? pd.context().openXrcd() : null;
    attr =
        xrcd != null
            ? QpInitAttr.xrcRecv(xrcd)
            : new QpInitAttr(service.sender())
                .sendCq(sendCq)
                .recvCq(recvCq)
                .maxSendWr(2)
                .maxRecvWr(receives);
    qp = create();
  }

  private QueuePair create() {
    if (xrcd == null) {
      return pd.createQp(attr);
    }
    srq = pd.createSrq(SrqInitAttr.xrc(xrcd, recvCq, receives, 1));
    return pd.context().createQpEx(attr);
  }

  QueuePair qp() {
    return qp;
  }

  /** Number of the shared receive queue; 0 without one. */
  int srqNum() {
    return srq == null ? 0 : srq.srqNum();
  }

  QpState state() {
    return qp.query(QpAttrMask.STATE).qpState();
  }

  /** Goes to ERR; what is posted is flushed. */
  void fail() {
    qp.modify(new QpAttr().qpState(QpState.ERR));
  }

  /** Goes to RESET, without any receive. A shared queue would keep its own, so it is replaced. */
  void reset() {
    if (srq == null) {
      qp.modify(new QpAttr().qpState(QpState.RESET));
    } else if (state() != QpState.RESET) {
      qp.close();
      srq.close();
      qp = create();
    }
  }

  void post(RecvWr wr) {
    if (srq == null) {
      qp.postRecv(wr);
    } else {
      srq.postRecv(wr);
    }
  }

  @Override
  public void close() {
    qp.close();
    if (srq != null) {
      srq.close();
    }
    if (xrcd != null) {
      xrcd.close();
    }
  }
}
