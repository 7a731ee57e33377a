package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * What is known about a completion with an error: its queues and the peer. Not every adapter
 * reports everything, and the queue pair may be gone: values that cannot be determined are missing.
 *
 * @param wc a copy of the completion
 * @param cq the queue it was polled from, or null
 * @param qp its queue pair, or null
 * @param srq the shared receive queue, or null
 * @param isRq whether it was a receive; null if unknown
 * @param peerGid the peer of a connection, or null
 * @param peerLid its LID, or 0
 * @param peerQpn the peer's queue pair, or -1
 */
record WcFailure(
    WorkCompletion wc,
    @Nullable CompletionQueue cq,
    @Nullable QueuePair qp,
    @Nullable SharedReceiveQueue srq,
    @Nullable Boolean isRq,
    @Nullable Gid peerGid,
    int peerLid,
    int peerQpn) {

  static WcFailure of(
      WorkCompletion polled,
      @Nullable CompletionQueue cq,
      @Nullable RecvTarget target,
      @Nullable Boolean isRq) {
    WorkCompletion wc = new WorkCompletion().set(polled);
    WcFailure known = new WcFailure(wc, cq, null, null, isRq, null, 0, -1);
    if (target instanceof SharedReceiveQueue srq && !Boolean.FALSE.equals(isRq)) {
      known = new WcFailure(wc, cq, null, srq, Boolean.TRUE, null, 0, -1);
    }
    try {
      QueuePair qp = target instanceof QueuePair given ? given : found(wc, cq, target);
      return qp == null ? known : known.with(qp);
    } catch (RdmaException e) {
      // Still report the error, with what is known without an object that is gone or fails.
      return known;
    }
  }

  private static @Nullable QueuePair found(
      WorkCompletion wc, @Nullable CompletionQueue cq, @Nullable RecvTarget target) {
    if (cq != null) {
      return cq.context().fromQpNum(wc.qpNum());
    }
    return target instanceof SharedReceiveQueue srq ? srq.context().fromQpNum(wc.qpNum()) : null;
  }

  private WcFailure with(QueuePair owner) {
    Boolean receive = isRq == null ? sideByQueue(owner) : isRq;
    SharedReceiveQueue shared = srq != null || Boolean.FALSE.equals(receive) ? srq : owner.srq();
    QpAttr attr = connection(owner);
    AhAttr peer = attr == null ? null : attr.ahAttr();
    return new WcFailure(
        wc,
        cq,
        owner,
        shared,
        receive,
        peer == null || peer.dgid().isZero() ? null : peer.dgid(),
        peer == null ? 0 : peer.dlid(),
        attr == null || attr.destQpNum() == 0 ? -1 : attr.destQpNum());
  }

  /**
   * The attributes that name the peer; null if there is none, or the device does not report them.
   */
  private static @Nullable QpAttr connection(QueuePair owner) {
    try {
      return hasPeer(owner) ? owner.query(QpAttrMask.AV, QpAttrMask.DEST_QPN) : null;
    } catch (ObjectClosedException e) {
      throw e;
    } catch (RdmaException e) {
      return null;
    }
  }

  /**
   * Whether this queue is for receives or sends, if it is not for both; the opcode may be missing.
   */
  @SuppressWarnings("ReferenceEquality") // one object for each queue
  private @Nullable Boolean sideByQueue(QueuePair owner) {
    if (cq == null || owner.sendCq() == owner.recvCq()) {
      return null;
    }
    return cq == owner.recvCq();
  }

  private static boolean hasPeer(QueuePair owner) {
    return switch (owner.qpType()) {
      case RC, UC, XRC_SEND, XRC_RECV -> true;
      default -> false;
    };
  }

  /** The text of the exception. */
  String text(String message) {
    String cause = wc.status().usualCause();
    return message
        + " - "
        + wc.status().number()
        + " "
        + wc.status().str()
        + " (op="
        + wc.opcode()
        + " vend=0x"
        + Integer.toHexString(wc.vendorErr())
        + (wc.vendorErrText().isEmpty() ? "" : ", " + wc.vendorErrText() + ",")
        + " wr_id="
        + wc.wrId()
        // A queue without WcExFlags.QP_NUM does not say it.
        + (wc.qpNum() == 0 ? "" : " qp=0x" + Integer.toHexString(wc.qpNum()))
        + (isRq == null ? "" : isRq ? " RQ" : " SQ")
        + (srq == null ? "" : " srq=" + srq)
        + (cq == null ? "" : " cq=" + cq)
        + (peerGid == null ? "" : " peer=" + peerGid.toAddressText())
        + (peerLid == 0 ? "" : " lid=" + peerLid)
        + (peerQpn == -1 ? "" : " qpn=0x" + Integer.toHexString(peerQpn))
        + ")"
        + (cause.isEmpty() ? "" : ". Usual cause: " + cause);
  }
}
