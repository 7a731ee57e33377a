package dev.verbena.verbs;

import java.util.Map;

/**
 * The steps of a queue pair from RESET to RTS: the attributes that the steps to INIT, RTR and RTS
 * take, by type.
 *
 * @param init attributes of the step to INIT
 * @param rtr attributes of the step to RTR
 * @param rts attributes of the step to RTS
 */
record QpSteps(int init, int rtr, int rts) {
  private static final int CONNECTED =
      QpAttrMask.PKEY_INDEX | QpAttrMask.PORT | QpAttrMask.ACCESS_FLAGS;
  private static final int PEER =
      QpAttrMask.AV | QpAttrMask.PATH_MTU | QpAttrMask.DEST_QPN | QpAttrMask.RQ_PSN;

  /** Attributes that only a responder of a reliable service has. */
  private static final int RESPONDER = QpAttrMask.MAX_DEST_RD_ATOMIC | QpAttrMask.MIN_RNR_TIMER;

  /** Attributes that only a requester of a reliable service has. */
  private static final int REQUESTER =
      QpAttrMask.RETRY_CNT | QpAttrMask.RNR_RETRY | QpAttrMask.MAX_QP_RD_ATOMIC;

  /** The alternate path: no step needs it. */
  private static final int ALT = QpAttrMask.ALT_PATH;

  private static final int MIG = QpAttrMask.PATH_MIG_STATE;
  private static final int TIMEOUT = QpAttrMask.TIMEOUT;
  private static final int SQ_PSN = QpAttrMask.SQ_PSN;

  private static final Map<QpType, QpSteps> BY_TYPE =
      Map.of(
          QpType.RC,
          new QpSteps(CONNECTED, PEER | RESPONDER | ALT, REQUESTER | TIMEOUT | SQ_PSN | MIG),
          QpType.UC,
          new QpSteps(CONNECTED, PEER | ALT, SQ_PSN | MIG),
          QpType.UD,
          new QpSteps(QpAttrMask.PKEY_INDEX | QpAttrMask.PORT | QpAttrMask.QKEY, 0, SQ_PSN),
          QpType.XRC_SEND,
          new QpSteps(CONNECTED, PEER | ALT, REQUESTER | TIMEOUT | SQ_PSN | MIG),
          QpType.XRC_RECV,
          new QpSteps(CONNECTED, PEER | RESPONDER | ALT, TIMEOUT | SQ_PSN | MIG),
          QpType.RAW_PACKET,
          new QpSteps(QpAttrMask.PORT, 0, 0));

  private static final QpSteps UNKNOWN = new QpSteps(0, 0, 0);

  static QpSteps of(QpType type) {
    return BY_TYPE.getOrDefault(type, UNKNOWN);
  }

  /** Whether queue pairs of this type have one peer. */
  static boolean hasConnection(QpType type) {
    return (of(type).rtr & QpAttrMask.AV) != 0;
  }

  /** All attributes that the three steps take. */
  int all() {
    return init | rtr | rts;
  }

  /** Goes to INIT with those of {@code values} that this step takes. */
  static void toInit(QueuePair qp, QpAttr values) {
    step(qp, QpState.INIT, values, of(qp.qpType()).init);
  }

  /** Goes on to RTR. */
  static void toRtr(QueuePair qp, QpAttr values) {
    step(qp, QpState.RTR, values, of(qp.qpType()).rtr);
  }

  /** Goes on to RTS. */
  static void toRts(QueuePair qp, QpAttr values) {
    step(qp, QpState.RTS, values, of(qp.qpType()).rts);
  }

  /** Passes on the values unchecked: the queue pair rejects bad and missing ones. */
  private static void step(QueuePair qp, QpState to, QpAttr values, int taken) {
    qp.modify(new QpAttr().set(values, values.mask() & taken).qpState(to));
  }
}
