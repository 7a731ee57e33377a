package dev.verbena.verbs;

/**
 * Takes queue pairs from RESET to RTS with default values, some of which the caller may override.
 */
final class Connector {
  /**
   * Where packets get lost on purpose, nobody wants to wait for each of them. But on a busy
   * computer the threads of another device, also in this process, may be held up for longer than
   * all retries take.
   */
  private static final int TIMEOUT_WITH_FAULTS = 10;

  private static final int MOST_RD_ATOMIC = 16;

  static void connect(
      QueuePair qp, QpEndpoint local, QpEndpoint remote, QpAttr overrides, int access) {
    check(qp, overrides);
    DeviceAttr device = qp.context().queryDevice();
    int port = (overrides.mask() & QpAttrMask.PORT) == 0 ? 1 : overrides.portNum();
    Mtu mtu = local.mtu().compareTo(remote.mtu()) < 0 ? local.mtu() : remote.mtu();
    QpAttr values =
        new QpAttr()
            .pkeyIndex(0)
            .portNum(port)
            .qpAccessFlags(access)
            .ahAttr(AhAttr.to(remote).withSgidIndex(local.gidIndex()).withPortNum(port))
            .pathMtu(mtu)
            .destQpNum(remote.qpNum())
            .rqPsn(remote.psn())
            .maxDestRdAtomic(Math.min(MOST_RD_ATOMIC, device.maxQpRdAtom()))
            .minRnrTimer(QpAttr.DEFAULT_MIN_RNR_TIMER)
            .timeout(timeout(qp, local.gid(), remote.gid()))
            .retryCnt(QpAttr.DEFAULT_RETRY_CNT)
            .rnrRetry(QpAttr.DEFAULT_RNR_RETRY)
            .sqPsn(local.psn())
            .maxRdAtomic(Math.min(MOST_RD_ATOMIC, device.maxQpInitRdAtom()))
            .set(overrides, overrides.mask());
    QpSteps.toInit(qp, values);
    QpSteps.toRtr(qp, values);
    QpSteps.toRts(qp, values);
  }

  private static int timeout(QueuePair qp, Gid local, Gid remote) {
    boolean loses = remote.equals(local) && qp.context().device().losesPackets();
    return loses ? TIMEOUT_WITH_FAULTS : QpAttr.DEFAULT_TIMEOUT;
  }

  /** Takes a UD queue pair to RTS. */
  static void toRts(QueuePair qp, int qkey) {
    if (qp.qpType() != QpType.UD) {
      throw new VerbsException(
          "toRts",
          Errno.EINVAL,
          qp
              + " has no Q_Key, because its type is "
              + qp.qpType()
              + "; for a connected type call connect");
    }
    QpAttr values = new QpAttr().pkeyIndex(0).portNum(1).qkey(qkey).sqPsn(qp.endpoint().psn());
    QpSteps.toInit(qp, values);
    QpSteps.toRtr(qp, values);
    QpSteps.toRts(qp, values);
  }

  private static void check(QueuePair qp, QpAttr overrides) {
    if (!QpSteps.hasConnection(qp.qpType())) {
      throw new VerbsException(
          "connect",
          Errno.EINVAL,
          qp
              + " has no connection, because its type is "
              + qp.qpType()
              + "; RC, UC, XRC_SEND and XRC_RECV have");
    }
    int unfit = overrides.mask() & ~QpSteps.of(qp.qpType()).all();
    if (unfit != 0) {
      throw new VerbsException(
          "connect",
          Errno.EINVAL,
          qp + ": overrides set " + QpAttrMask.names(unfit) + ", which connect does not use");
    }
  }

  private Connector() {}
}
