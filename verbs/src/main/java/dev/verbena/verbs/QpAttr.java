package dev.verbena.verbs;

/**
 * Attributes of a queue pair (struct ibv_qp_attr). Every setter records its bit of {@link
 * QpAttrMask}, so that {@code modify(attr)} knows what was set; the result of a query starts with
 * an empty mask. Reusable after {@link #clear()}.
 */
public final class QpAttr {
  /** The retry_cnt of {@link QueuePair#connect connect} and of a path that begins at a port. */
  public static final int DEFAULT_RETRY_CNT = 7;

  /**
   * The min_rnr_timer of {@link QueuePair#connect connect} and of a path that begins at a port:
   * 0.64 ms.
   */
  public static final int DEFAULT_MIN_RNR_TIMER = 12;

  /**
   * The timeout of {@link QueuePair#connect connect}, unless packets get lost on purpose: 67 ms.
   */
  public static final int DEFAULT_TIMEOUT = 14;

  /** The rnr_retry of {@link QueuePair#connect connect} and of a path: no limit. */
  public static final int DEFAULT_RNR_RETRY = 7;

  private int mask;

  /** The bits of all attributes that were ever set. */
  private int present;

  private QpState qpState = QpState.RESET;
  private QpState curQpState = QpState.RESET;
  private boolean enSqdAsyncNotify;
  private int qpAccessFlags;
  private int pkeyIndex;
  private int portNum;
  private int qkey;
  private AhAttr ahAttr = AhAttr.to(Gid.ZERO);
  private Mtu pathMtu = Mtu.MTU_256;
  private int timeout;
  private int retryCnt;
  private int rnrRetry;
  private int rqPsn;
  private int maxRdAtomic;
  private AhAttr altAhAttr = AhAttr.to(Gid.ZERO);
  private int altPkeyIndex;
  private int altPortNum;
  private int altTimeout;
  private int minRnrTimer;
  private int sqPsn;
  private int maxDestRdAtomic;
  private PathMigState pathMigState = PathMigState.MIGRATED;
  private QpCap cap = new QpCap(0, 0, 0, 0, 0);
  private int destQpNum;
  private int rateLimit;
  private boolean sqDraining;

  /** Attributes of which none is set. */
  public QpAttr() {}

  /**
   * The bits of {@link QpAttrMask} whose attributes were set since creation or {@link #clear()}.
   */
  public int mask() {
    return mask;
  }

  /** Clears the mask; the values stay readable. */
  public QpAttr clear() {
    mask = 0;
    return this;
  }

  /** State to enter, or state of the queue pair. */
  public QpState qpState() {
    return qpState;
  }

  /** Sets {@link QpAttrMask#STATE}: state to enter, or state of the queue pair. */
  public QpAttr qpState(QpState value) {
    qpState = value;
    record(QpAttrMask.STATE);
    return this;
  }

  /** State the caller believes the queue pair is in: RTR, RTS, SQD or SQE. */
  public QpState curQpState() {
    return curQpState;
  }

  /**
   * Sets {@link QpAttrMask#CUR_STATE}: state the caller believes the queue pair is in: RTR, RTS,
   * SQD or SQE.
   */
  public QpAttr curQpState(QpState value) {
    curQpState = value;
    record(QpAttrMask.CUR_STATE);
    return this;
  }

  /** Whether SQ_DRAINED is raised when the send queue has drained. */
  public boolean enSqdAsyncNotify() {
    return enSqdAsyncNotify;
  }

  /**
   * Sets {@link QpAttrMask#EN_SQD_ASYNC_NOTIFY}: whether SQ_DRAINED is raised when the send queue
   * has drained.
   */
  public QpAttr enSqdAsyncNotify(boolean value) {
    enSqdAsyncNotify = value;
    record(QpAttrMask.EN_SQD_ASYNC_NOTIFY);
    return this;
  }

  /** {@link Access} bits that gate incoming requests. */
  public int qpAccessFlags() {
    return qpAccessFlags;
  }

  /** Sets {@link QpAttrMask#ACCESS_FLAGS}: {@link Access} bits that gate incoming requests. */
  public QpAttr qpAccessFlags(int value) {
    qpAccessFlags = value;
    record(QpAttrMask.ACCESS_FLAGS);
    return this;
  }

  /** Index in the P_Key table. */
  public int pkeyIndex() {
    return pkeyIndex;
  }

  /** Sets {@link QpAttrMask#PKEY_INDEX}: index in the P_Key table. */
  public QpAttr pkeyIndex(int value) {
    pkeyIndex = value;
    record(QpAttrMask.PKEY_INDEX);
    return this;
  }

  /** Port, 1 to {@link DeviceAttr#physPortCnt()}. */
  public int portNum() {
    return portNum;
  }

  /** Sets {@link QpAttrMask#PORT}: port, 1 to {@link DeviceAttr#physPortCnt()}. */
  public QpAttr portNum(int value) {
    portNum = value;
    record(QpAttrMask.PORT);
    return this;
  }

  /** Q_Key of a UD queue pair. */
  public int qkey() {
    return qkey;
  }

  /** Sets {@link QpAttrMask#QKEY}: Q_Key of a UD queue pair. */
  public QpAttr qkey(int value) {
    qkey = value;
    record(QpAttrMask.QKEY);
    return this;
  }

  /** Address of the peer. */
  public AhAttr ahAttr() {
    return ahAttr;
  }

  /** Sets {@link QpAttrMask#AV}: address of the peer. */
  public QpAttr ahAttr(AhAttr value) {
    ahAttr = value;
    record(QpAttrMask.AV);
    return this;
  }

  /**
   * Sets {@link QpAttrMask#AV}: address of the peer, taken from the destination of a path.
   *
   * @throws VerbsException EINVAL if the path has no end port; ENOENT if its source GID is not in
   *     the end port's table
   */
  public QpAttr ahAttr(IbPath path) {
    return ahAttr(PathAttributes.address(path));
  }

  /** Path MTU. */
  public Mtu pathMtu() {
    return pathMtu;
  }

  /** Sets {@link QpAttrMask#PATH_MTU}: path MTU. */
  public QpAttr pathMtu(Mtu value) {
    pathMtu = value;
    record(QpAttrMask.PATH_MTU);
    return this;
  }

  /** Local ACK timeout code, 0 to 31: 4.096 µs × 2^timeout; 0 waits for ever. */
  public int timeout() {
    return timeout;
  }

  /**
   * Sets {@link QpAttrMask#TIMEOUT}: local ACK timeout code, 0 to 31: 4.096 µs × 2^timeout; 0 waits
   * for ever. A peer that does not answer is given up by RETRY_EXC_ERR after about (retry_cnt + 1)
   * times this: with seven retries 0.5 s for 14, 8.6 s for 18, and 34 s for 20. The price of more
   * is paid where packets get lost: what nothing else shows to be lost is repeated after this time,
   * which is 0.07, 1.1 and 4.3 s for these.
   */
  public QpAttr timeout(int value) {
    timeout = value;
    record(QpAttrMask.TIMEOUT);
    return this;
  }

  /** Retransmissions before RETRY_EXC_ERR, 0 to 7; 7 means seven. */
  public int retryCnt() {
    return retryCnt;
  }

  /**
   * Sets {@link QpAttrMask#RETRY_CNT}: retransmissions before RETRY_EXC_ERR, 0 to 7; 7 means seven.
   */
  public QpAttr retryCnt(int value) {
    retryCnt = value;
    record(QpAttrMask.RETRY_CNT);
    return this;
  }

  /** Retries after RNR NAKs, 0 to 7; 7 means no limit. */
  public int rnrRetry() {
    return rnrRetry;
  }

  /** Sets {@link QpAttrMask#RNR_RETRY}: retries after RNR NAKs, 0 to 7; 7 means no limit. */
  public QpAttr rnrRetry(int value) {
    rnrRetry = value;
    record(QpAttrMask.RNR_RETRY);
    return this;
  }

  /** First packet sequence number expected; only the low 24 bits are used. */
  public int rqPsn() {
    return rqPsn;
  }

  /**
   * Sets {@link QpAttrMask#RQ_PSN}: first packet sequence number expected; only the low 24 bits are
   * used.
   */
  public QpAttr rqPsn(int value) {
    rqPsn = value;
    record(QpAttrMask.RQ_PSN);
    return this;
  }

  /** Outstanding READs and atomics as initiator, 0 to {@link DeviceAttr#maxQpInitRdAtom()}. */
  public int maxRdAtomic() {
    return maxRdAtomic;
  }

  /**
   * Sets {@link QpAttrMask#MAX_QP_RD_ATOMIC}: outstanding READs and atomics as initiator, 0 to
   * {@link DeviceAttr#maxQpInitRdAtom()}. More than the peer's max_dest_rd_atomic end in
   * REM_INV_REQ_ERR.
   */
  public QpAttr maxRdAtomic(int value) {
    maxRdAtomic = value;
    record(QpAttrMask.MAX_QP_RD_ATOMIC);
    return this;
  }

  /** Alternate path; needs AUTO_PATH_MIG. */
  public AhAttr altAhAttr() {
    return altAhAttr;
  }

  /** Sets {@link QpAttrMask#ALT_PATH}: alternate path; needs AUTO_PATH_MIG. */
  public QpAttr altAhAttr(AhAttr value) {
    altAhAttr = value;
    record(QpAttrMask.ALT_PATH);
    return this;
  }

  /**
   * Sets the alternate path to the destination of a path; see {@link #altAhAttr(AhAttr)}. Throws as
   * {@link #ahAttr(IbPath)} does.
   */
  public QpAttr altAhAttr(IbPath path) {
    return altAhAttr(PathAttributes.address(path));
  }

  /** P_Key index of the alternate path. */
  public int altPkeyIndex() {
    return altPkeyIndex;
  }

  /** Sets {@link QpAttrMask#ALT_PATH}: P_Key index of the alternate path. */
  public QpAttr altPkeyIndex(int value) {
    altPkeyIndex = value;
    record(QpAttrMask.ALT_PATH);
    return this;
  }

  /** Port of the alternate path. */
  public int altPortNum() {
    return altPortNum;
  }

  /** Sets {@link QpAttrMask#ALT_PATH}: port of the alternate path. */
  public QpAttr altPortNum(int value) {
    altPortNum = value;
    record(QpAttrMask.ALT_PATH);
    return this;
  }

  /** ACK timeout code of the alternate path, 0 to 31, like {@link #timeout()}. */
  public int altTimeout() {
    return altTimeout;
  }

  /**
   * Sets {@link QpAttrMask#ALT_PATH}: ACK timeout code of the alternate path, 0 to 31, like {@link
   * #timeout(int)}.
   */
  public QpAttr altTimeout(int value) {
    altTimeout = value;
    record(QpAttrMask.ALT_PATH);
    return this;
  }

  /** RNR NAK timer code, 0 to 31, sent to peers; {@link #minRnrTimer(int)} has the times. */
  public int minRnrTimer() {
    return minRnrTimer;
  }

  /**
   * Sets {@link QpAttrMask#MIN_RNR_TIMER}: RNR NAK timer code, 0 to 31, sent to peers: how long
   * they wait at least until they send again what met no receive here. In ms, from 1 on: 0.01,
   * 0.02, 0.03, 0.04, 0.06, 0.08, 0.12, 0.16, 0.24, 0.32, 0.48, 0.64 (12), 0.96, 1.28, 1.92, 2.56,
   * 3.84, 5.12, 7.68, 10.24 (20), 15.36, 20.48, 30.72, 40.96, 61.44, 81.92, 122.88, 163.84, 245.76,
   * 327.68, 491.52 (31). 0 is the longest, 655.36 ms.
   */
  public QpAttr minRnrTimer(int value) {
    minRnrTimer = value;
    record(QpAttrMask.MIN_RNR_TIMER);
    return this;
  }

  /** First packet sequence number sent; only the low 24 bits are used. */
  public int sqPsn() {
    return sqPsn;
  }

  /**
   * Sets {@link QpAttrMask#SQ_PSN}: first packet sequence number sent; only the low 24 bits are
   * used.
   */
  public QpAttr sqPsn(int value) {
    sqPsn = value;
    record(QpAttrMask.SQ_PSN);
    return this;
  }

  /** Outstanding READs and atomics as target, 0 to {@link DeviceAttr#maxQpRdAtom()}. */
  public int maxDestRdAtomic() {
    return maxDestRdAtomic;
  }

  /**
   * Sets {@link QpAttrMask#MAX_DEST_RD_ATOMIC}: outstanding READs and atomics as target, 0 to
   * {@link DeviceAttr#maxQpRdAtom()}; 0 refuses them.
   */
  public QpAttr maxDestRdAtomic(int value) {
    maxDestRdAtomic = value;
    record(QpAttrMask.MAX_DEST_RD_ATOMIC);
    return this;
  }

  /** Path migration state. */
  public PathMigState pathMigState() {
    return pathMigState;
  }

  /** Sets {@link QpAttrMask#PATH_MIG_STATE}: path migration state. */
  public QpAttr pathMigState(PathMigState value) {
    pathMigState = value;
    record(QpAttrMask.PATH_MIG_STATE);
    return this;
  }

  /** Sizes. */
  public QpCap cap() {
    return cap;
  }

  /** Sets {@link QpAttrMask#CAP}: sizes. */
  public QpAttr cap(QpCap value) {
    cap = value;
    record(QpAttrMask.CAP);
    return this;
  }

  /** The peer's queue pair number, 24 bits. */
  public int destQpNum() {
    return destQpNum;
  }

  /** Sets {@link QpAttrMask#DEST_QPN}: the peer's queue pair number, 24 bits. */
  public QpAttr destQpNum(int value) {
    destQpNum = value;
    record(QpAttrMask.DEST_QPN);
    return this;
  }

  /** Rate limit in kbit/s; RAW_PACKET. */
  public int rateLimit() {
    return rateLimit;
  }

  /** Sets {@link QpAttrMask#RATE_LIMIT}: rate limit in kbit/s; RAW_PACKET. */
  public QpAttr rateLimit(int value) {
    rateLimit = value;
    record(QpAttrMask.RATE_LIMIT);
    return this;
  }

  /** Sets the access flags from several {@link Access} bits. */
  public QpAttr qpAccessFlags(int first, int second, int... more) {
    return qpAccessFlags(first | second | Access.of(more));
  }

  /** Whether a send queue in SQD is still draining; filled by a query only. */
  public boolean sqDraining() {
    return sqDraining;
  }

  /** For providers answering a query: sets {@link #sqDraining()}. */
  public QpAttr sqDraining(boolean draining) {
    sqDraining = draining;
    return this;
  }

  /** Copies the values that {@code which} names from another object, and records them as set. */
  public QpAttr set(QpAttr other, int which) {
    for (int rest = which; rest != 0; rest &= rest - 1) {
      switch (Integer.lowestOneBit(rest)) {
        case QpAttrMask.STATE -> qpState = other.qpState;
        case QpAttrMask.CUR_STATE -> curQpState = other.curQpState;
        case QpAttrMask.EN_SQD_ASYNC_NOTIFY -> enSqdAsyncNotify = other.enSqdAsyncNotify;
        case QpAttrMask.ACCESS_FLAGS -> qpAccessFlags = other.qpAccessFlags;
        case QpAttrMask.PKEY_INDEX -> pkeyIndex = other.pkeyIndex;
        case QpAttrMask.PORT -> portNum = other.portNum;
        case QpAttrMask.QKEY -> qkey = other.qkey;
        case QpAttrMask.AV -> ahAttr = other.ahAttr;
        case QpAttrMask.PATH_MTU -> pathMtu = other.pathMtu;
        case QpAttrMask.TIMEOUT -> timeout = other.timeout;
        case QpAttrMask.RETRY_CNT -> retryCnt = other.retryCnt;
        case QpAttrMask.RNR_RETRY -> rnrRetry = other.rnrRetry;
        case QpAttrMask.RQ_PSN -> rqPsn = other.rqPsn;
        case QpAttrMask.MAX_QP_RD_ATOMIC -> maxRdAtomic = other.maxRdAtomic;
        case QpAttrMask.ALT_PATH -> {
          altAhAttr = other.altAhAttr;
          altPkeyIndex = other.altPkeyIndex;
          altPortNum = other.altPortNum;
          altTimeout = other.altTimeout;
        }
        case QpAttrMask.MIN_RNR_TIMER -> minRnrTimer = other.minRnrTimer;
        case QpAttrMask.SQ_PSN -> sqPsn = other.sqPsn;
        case QpAttrMask.MAX_DEST_RD_ATOMIC -> maxDestRdAtomic = other.maxDestRdAtomic;
        case QpAttrMask.PATH_MIG_STATE -> pathMigState = other.pathMigState;
        case QpAttrMask.CAP -> cap = other.cap;
        case QpAttrMask.DEST_QPN -> destQpNum = other.destQpNum;
        case QpAttrMask.RATE_LIMIT -> rateLimit = other.rateLimit;
        default -> {
          // No attribute has this bit.
        }
      }
    }
    record(which);
    return this;
  }

  /**
   * The attributes that were set, with their values; if the mask is empty, as that of a query's
   * result, all that have values.
   */
  @Override
  public String toString() {
    int shown = mask == 0 ? present : mask;
    return new FieldText("qp_attr")
        .addIf(isSet(shown, QpAttrMask.STATE), "qp_state", qpState)
        .addIf(isSet(shown, QpAttrMask.CUR_STATE), "cur_qp_state", curQpState)
        .addIf(
            isSet(shown, QpAttrMask.EN_SQD_ASYNC_NOTIFY), "en_sqd_async_notify", enSqdAsyncNotify)
        .addIf(
            isSet(shown, QpAttrMask.ACCESS_FLAGS),
            "qp_access_flags",
            "0x" + Integer.toHexString(qpAccessFlags))
        .addIf(isSet(shown, QpAttrMask.PKEY_INDEX), "pkey_index", pkeyIndex)
        .addIf(isSet(shown, QpAttrMask.PORT), "port_num", portNum)
        .addIf(isSet(shown, QpAttrMask.QKEY), "qkey", "0x" + Integer.toHexString(qkey))
        .addIf(isSet(shown, QpAttrMask.AV), "ah_attr", ahAttr)
        .addIf(isSet(shown, QpAttrMask.PATH_MTU), "path_mtu", pathMtu)
        .addIf(isSet(shown, QpAttrMask.TIMEOUT), "timeout", timeout)
        .addIf(isSet(shown, QpAttrMask.RETRY_CNT), "retry_cnt", retryCnt)
        .addIf(isSet(shown, QpAttrMask.RNR_RETRY), "rnr_retry", rnrRetry)
        .addIf(isSet(shown, QpAttrMask.RQ_PSN), "rq_psn", rqPsn)
        .addIf(isSet(shown, QpAttrMask.MAX_QP_RD_ATOMIC), "max_rd_atomic", maxRdAtomic)
        .addIf(isSet(shown, QpAttrMask.ALT_PATH), "alt_ah_attr", altAhAttr)
        .addIf(isSet(shown, QpAttrMask.ALT_PATH), "alt_pkey_index", altPkeyIndex)
        .addIf(isSet(shown, QpAttrMask.ALT_PATH), "alt_port_num", altPortNum)
        .addIf(isSet(shown, QpAttrMask.ALT_PATH), "alt_timeout", altTimeout)
        .addIf(isSet(shown, QpAttrMask.MIN_RNR_TIMER), "min_rnr_timer", minRnrTimer)
        .addIf(isSet(shown, QpAttrMask.SQ_PSN), "sq_psn", sqPsn)
        .addIf(isSet(shown, QpAttrMask.MAX_DEST_RD_ATOMIC), "max_dest_rd_atomic", maxDestRdAtomic)
        .addIf(isSet(shown, QpAttrMask.PATH_MIG_STATE), "path_mig_state", pathMigState)
        .addIf(isSet(shown, QpAttrMask.CAP), "cap", cap)
        .addIf(
            isSet(shown, QpAttrMask.DEST_QPN), "dest_qp_num", "0x" + Integer.toHexString(destQpNum))
        .addIf(isSet(shown, QpAttrMask.RATE_LIMIT), "rate_limit", rateLimit)
        .addIf(sqDraining, "sq_draining", true)
        .toString();
  }

  private void record(int bits) {
    mask |= bits;
    present |= bits;
  }

  private static boolean isSet(int bits, int bit) {
    return (bits & bit) != 0;
  }
}
