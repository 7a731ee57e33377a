package dev.verbena.verbs;

/**
 * The attributes of queue pairs and address handles that a path stands for. They are set as they
 * are: whether they are good is for the device to say.
 */
final class PathAttributes {
  /** Without limit: that a receive comes late is no fault of the path. */
  private static final int RNR_RETRY = 7;

  /** The address of the path's destination. */
  static AhAttr address(IbPath path) {
    boolean global = path.hasGrh();
    return new AhAttr(
        /* isGlobal= */ global,
        /* dgid= */ global ? path.dgid() : Gid.ZERO,
        /* sgidIndex= */ global ? path.sgidIndex() : 0,
        /* flowLabel= */ global ? path.flowLabel() : 0,
        /* hopLimit= */ global ? path.hopLimit() : 0,
        /* trafficClass= */ global ? path.trafficClass() : 0,
        /* dlid= */ path.dlid(),
        /* sl= */ path.sl(),
        /* srcPathBits= */ path.slidBits(),
        /* staticRate= */ path.rate(),
        /* portNum= */ path.endPort().portId());
  }

  /** What the step to INIT may take. */
  static QpAttr init(IbPath path, int access) {
    return new QpAttr()
        .pkeyIndex(path.pkeyIndex())
        .portNum(path.endPort().portId())
        .qkey(path.qkey())
        .qpAccessFlags(access);
  }

  /** What the step to RTR may take of a queue pair that has one peer. */
  static QpAttr rtr(IbPath path) {
    return new QpAttr()
        .ahAttr(path)
        .pathMtu(path.mtu())
        .destQpNum(path.dqpn())
        .rqPsn(path.dqpsn())
        .maxDestRdAtomic(path.drdatomic())
        .minRnrTimer(path.minRnrTimer());
  }

  /** What the step to RTS may take. */
  static QpAttr rts(IbPath path) {
    return new QpAttr()
        .timeout(Iba.toTimer(path.qpTimeout()))
        .retryCnt(path.retries())
        .rnrRetry(RNR_RETRY)
        .sqPsn(path.sqpsn())
        .maxRdAtomic(path.srdatomic());
  }

  private PathAttributes() {}
}
