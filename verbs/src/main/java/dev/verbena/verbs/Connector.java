package dev.verbena.verbs;

import java.util.Map;

/** Takes queue pairs from RESET to RTS with usual values, or others in their place. */
final class Connector {
  private static final int TIMEOUT = 14;
  private static final int RETRIES = 7;
  private static final int MIN_RNR_TIMER = 12;
  private static final int MOST_RD_ATOMIC = 16;

  /** What the step to each state may take from the caller. */
  private static final int INIT = QpAttrMask.PKEY_INDEX | QpAttrMask.PORT | QpAttrMask.ACCESS_FLAGS;

  private static final int RTR =
      QpAttrMask.AV
          | QpAttrMask.PATH_MTU
          | QpAttrMask.DEST_QPN
          | QpAttrMask.RQ_PSN
          | QpAttrMask.MAX_DEST_RD_ATOMIC
          | QpAttrMask.MIN_RNR_TIMER
          | QpAttrMask.ALT_PATH;
  private static final int RTS =
      QpAttrMask.TIMEOUT
          | QpAttrMask.RETRY_CNT
          | QpAttrMask.RNR_RETRY
          | QpAttrMask.SQ_PSN
          | QpAttrMask.MAX_QP_RD_ATOMIC
          | QpAttrMask.PATH_MIG_STATE;

  /** What only who answers reliable requests has. */
  private static final int RESPONDER = QpAttrMask.MAX_DEST_RD_ATOMIC | QpAttrMask.MIN_RNR_TIMER;

  /** What only who makes reliable requests has. */
  private static final int REQUESTER =
      QpAttrMask.RETRY_CNT | QpAttrMask.RNR_RETRY | QpAttrMask.MAX_QP_RD_ATOMIC;

  /** By type of queue pair that has a connection: the attributes above that it does not have. */
  private static final Map<QpType, Integer> LACKING =
      Map.of(
          QpType.RC,
          0,
          QpType.UC,
          RESPONDER | REQUESTER | QpAttrMask.TIMEOUT,
          QpType.XRC_SEND,
          RESPONDER,
          QpType.XRC_RECV,
          REQUESTER);

  static void connect(
      QueuePair qp, QpEndpoint local, QpEndpoint remote, QpAttr overrides, int access) {
    check(qp, overrides);
    DeviceAttr device = qp.context().queryDevice();
    Mtu mtu = local.mtu().compareTo(remote.mtu()) < 0 ? local.mtu() : remote.mtu();
    step(
        qp,
        new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(access),
        overrides,
        INIT);
    step(
        qp,
        new QpAttr()
            .qpState(QpState.RTR)
            .ahAttr(AhAttr.to(remote.gid()).withSgidIndex(local.gidIndex()))
            .pathMtu(mtu)
            .destQpNum(remote.qpNum())
            .rqPsn(remote.psn())
            .maxDestRdAtomic(Math.min(MOST_RD_ATOMIC, device.maxQpRdAtom()))
            .minRnrTimer(MIN_RNR_TIMER),
        overrides,
        RTR);
    step(
        qp,
        new QpAttr()
            .qpState(QpState.RTS)
            .timeout(TIMEOUT)
            .retryCnt(RETRIES)
            .rnrRetry(RETRIES)
            .sqPsn(local.psn())
            .maxRdAtomic(Math.min(MOST_RD_ATOMIC, device.maxQpInitRdAtom())),
        overrides,
        RTS);
  }

  /** Takes a UD queue pair to RTS. */
  static void toRts(QueuePair qp, int qkey) {
    if (qp.qpType() != QpType.UD) {
      throw new VerbsException(
          "toRts",
          Errno.EINVAL,
          "QP type " + qp.qpType() + " has no Q_Key; connect is for those with a connection");
    }
    int psn = qp.endpoint().psn();
    qp.modify(new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qkey(qkey));
    qp.modify(new QpAttr().qpState(QpState.RTR));
    qp.modify(new QpAttr().qpState(QpState.RTS).sqPsn(psn));
  }

  private static void check(QueuePair qp, QpAttr overrides) {
    if (!LACKING.containsKey(qp.qpType())) {
      throw new VerbsException(
          "connect",
          Errno.EINVAL,
          "QP type " + qp.qpType() + " has no connection; RC, UC, XRC_SEND and XRC_RECV have");
    }
    int unfit = overrides.mask() & ~fitting(qp, INIT | RTR | RTS);
    if (unfit != 0) {
      throw new VerbsException(
          "connect",
          Errno.EINVAL,
          "overrides set " + QpAttrMask.names(unfit) + ", which connecting does not take");
    }
  }

  private static void step(QueuePair qp, QpAttr usual, QpAttr overrides, int fitting) {
    int taken = fitting(qp, fitting);
    qp.modify(
        new QpAttr()
            .set(usual, usual.mask() & (QpAttrMask.STATE | taken))
            .set(overrides, overrides.mask() & taken));
  }

  private static int fitting(QueuePair qp, int attributes) {
    return attributes & ~LACKING.getOrDefault(qp.qpType(), 0);
  }

  private Connector() {}
}
