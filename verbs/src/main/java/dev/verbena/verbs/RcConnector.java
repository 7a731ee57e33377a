package dev.verbena.verbs;

/** Takes an RC queue pair from RESET to RTS with usual values. */
final class RcConnector {
  private static final int TIMEOUT = 14;
  private static final int RETRIES = 7;
  private static final int MIN_RNR_TIMER = 12;
  private static final int MOST_RD_ATOMIC = 16;

  static void connect(QueuePair qp, QpEndpoint remote, int access) {
    if (qp.qpType() != QpType.RC) {
      throw new VerbsException(
          "connect",
          Errno.EINVAL,
          "QP type " + qp.qpType() + " has no connection of this kind; RC has");
    }
    QpEndpoint local = qp.endpoint();
    DeviceAttr device = qp.context().queryDevice();
    Mtu mtu = local.mtu().compareTo(remote.mtu()) < 0 ? local.mtu() : remote.mtu();
    qp.modify(new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(access));
    qp.modify(
        new QpAttr()
            .qpState(QpState.RTR)
            .ahAttr(AhAttr.to(remote.gid()).withSgidIndex(local.gidIndex()))
            .pathMtu(mtu)
            .destQpNum(remote.qpNum())
            .rqPsn(remote.psn())
            .maxDestRdAtomic(Math.min(MOST_RD_ATOMIC, device.maxQpRdAtom()))
            .minRnrTimer(MIN_RNR_TIMER));
    qp.modify(
        new QpAttr()
            .qpState(QpState.RTS)
            .timeout(TIMEOUT)
            .retryCnt(RETRIES)
            .rnrRetry(RETRIES)
            .sqPsn(local.psn())
            .maxRdAtomic(Math.min(MOST_RD_ATOMIC, device.maxQpInitRdAtom())));
  }

  private RcConnector() {}
}
