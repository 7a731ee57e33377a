package dev.verbena.verbs;

/**
 * Converts a path to attributes of queue pairs and address handles. Values are not checked: the
 * device does that.
 */
final class PathAttributes {

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

  /** Attributes that the step to INIT may take. */
  static QpAttr init(IbPath path, int access) {
    return new QpAttr()
        .pkeyIndex(path.pkeyIndex())
        .portNum(path.endPort().portId())
        .qkey(path.qkey())
        .qpAccessFlags(access);
  }

  /** Attributes that the step to RTR may take, for a queue pair that has one peer. */
  static QpAttr rtr(IbPath path) {
    return new QpAttr()
        .ahAttr(path)
        .pathMtu(path.mtu())
        .destQpNum(path.dqpn())
        .rqPsn(path.dqpsn())
        .maxDestRdAtomic(path.drdatomic())
        .minRnrTimer(path.minRnrTimer());
  }

  /** Attributes that the step to RTS may take. */
  static QpAttr rts(IbPath path) {
    return new QpAttr()
        .timeout(Iba.toTimer(path.qpTimeout()))
        .retryCnt(path.retries())
        .rnrRetry(QpAttr.DEFAULT_RNR_RETRY)
        .sqPsn(path.sqpsn())
        .maxRdAtomic(path.srdatomic());
  }

  /**
   * Refuses a path that begins at another device: its indices are positions in that one's tables.
   *
   * @throws VerbsException EINVAL if it does, or if it has no end port
   */
  static void requireDevice(String call, Context context, IbPath path) {
    EndPort port = path.endPort();
    String name = context.device().name();
    if (!port.device().name().equals(name)) {
      throw new VerbsException(
          call, Errno.EINVAL, "the path begins at " + port + ", which is not a port of " + name);
    }
  }

  private PathAttributes() {}
}
