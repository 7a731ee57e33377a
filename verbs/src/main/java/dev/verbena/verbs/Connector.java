package dev.verbena.verbs;

/** Takes an RC or UC queue pair from RESET to RTS with usual values, or others in their place. */
final class Connector {
  private static final int TIMEOUT = 14;
  private static final int RETRIES = 7;
  private static final int MIN_RNR_TIMER = 12;
  private static final int MOST_RD_ATOMIC = 16;

  /** What the step to each state may take from the caller (S4.2). */
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

  /** What only a reliable connection has. */
  private static final int RELIABLE =
      QpAttrMask.MAX_DEST_RD_ATOMIC
          | QpAttrMask.MIN_RNR_TIMER
          | QpAttrMask.TIMEOUT
          | QpAttrMask.RETRY_CNT
          | QpAttrMask.RNR_RETRY
          | QpAttrMask.MAX_QP_RD_ATOMIC;

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

  private static void check(QueuePair qp, QpAttr overrides) {
    if (qp.qpType() != QpType.RC && qp.qpType() != QpType.UC) {
      throw new VerbsException(
          "connect",
          Errno.EINVAL,
          "QP type " + qp.qpType() + " has no connection of this kind; RC and UC have");
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
    return qp.qpType() == QpType.RC ? attributes : attributes & ~RELIABLE;
  }

  private Connector() {}
}
