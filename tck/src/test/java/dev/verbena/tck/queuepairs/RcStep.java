package dev.verbena.tck.queuepairs;

import static dev.verbena.verbs.QpAttrMask.ACCESS_FLAGS;
import static dev.verbena.verbs.QpAttrMask.ALT_PATH;
import static dev.verbena.verbs.QpAttrMask.AV;
import static dev.verbena.verbs.QpAttrMask.CUR_STATE;
import static dev.verbena.verbs.QpAttrMask.DEST_QPN;
import static dev.verbena.verbs.QpAttrMask.EN_SQD_ASYNC_NOTIFY;
import static dev.verbena.verbs.QpAttrMask.MAX_DEST_RD_ATOMIC;
import static dev.verbena.verbs.QpAttrMask.MAX_QP_RD_ATOMIC;
import static dev.verbena.verbs.QpAttrMask.MIN_RNR_TIMER;
import static dev.verbena.verbs.QpAttrMask.PATH_MIG_STATE;
import static dev.verbena.verbs.QpAttrMask.PATH_MTU;
import static dev.verbena.verbs.QpAttrMask.PKEY_INDEX;
import static dev.verbena.verbs.QpAttrMask.PORT;
import static dev.verbena.verbs.QpAttrMask.RETRY_CNT;
import static dev.verbena.verbs.QpAttrMask.RNR_RETRY;
import static dev.verbena.verbs.QpAttrMask.RQ_PSN;
import static dev.verbena.verbs.QpAttrMask.SQ_PSN;
import static dev.verbena.verbs.QpAttrMask.TIMEOUT;

import dev.verbena.verbs.QpState;
import java.util.Set;

/** The transitions of an RC queue pair that take attributes: S4.1 with S4.2 and S4.3 as a table. */
enum RcStep {
  RESET_INIT(QpState.RESET, QpState.INIT, PKEY_INDEX | PORT | ACCESS_FLAGS, 0),
  INIT_INIT(QpState.INIT, QpState.INIT, 0, PKEY_INDEX | PORT | ACCESS_FLAGS),
  INIT_RTR(
      QpState.INIT,
      QpState.RTR,
      AV | PATH_MTU | DEST_QPN | RQ_PSN | MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER,
      ALT_PATH | ACCESS_FLAGS | PKEY_INDEX),
  RTR_RTS(
      QpState.RTR,
      QpState.RTS,
      TIMEOUT | RETRY_CNT | RNR_RETRY | SQ_PSN | MAX_QP_RD_ATOMIC,
      CUR_STATE | ALT_PATH | ACCESS_FLAGS | PATH_MIG_STATE | MIN_RNR_TIMER),
  RTS_RTS(
      QpState.RTS,
      QpState.RTS,
      0,
      CUR_STATE | ALT_PATH | ACCESS_FLAGS | PATH_MIG_STATE | MIN_RNR_TIMER),
  RTS_SQD(QpState.RTS, QpState.SQD, 0, EN_SQD_ASYNC_NOTIFY),
  SQD_RTS(
      QpState.SQD,
      QpState.RTS,
      0,
      CUR_STATE | ALT_PATH | ACCESS_FLAGS | PATH_MIG_STATE | MIN_RNR_TIMER),
  SQD_SQD(
      QpState.SQD,
      QpState.SQD,
      0,
      PORT
          | AV
          | TIMEOUT
          | RETRY_CNT
          | RNR_RETRY
          | MAX_QP_RD_ATOMIC
          | MAX_DEST_RD_ATOMIC
          | ALT_PATH
          | ACCESS_FLAGS
          | PKEY_INDEX
          | MIN_RNR_TIMER
          | PATH_MIG_STATE);

  final QpState from;
  final QpState to;
  final int required;
  final int optional;

  RcStep(QpState from, QpState to, int required, int optional) {
    this.from = from;
    this.to = to;
    this.required = required;
    this.optional = optional;
  }

  /** Whether the table S4.1 allows an RC queue pair to go this way. */
  static boolean isLegal(QpState from, QpState to) {
    return switch (from) {
      case RESET -> Set.of(QpState.RESET, QpState.INIT).contains(to);
      case INIT -> Set.of(QpState.RESET, QpState.ERR, QpState.INIT, QpState.RTR).contains(to);
      case RTR -> Set.of(QpState.RESET, QpState.ERR, QpState.RTS).contains(to);
      case RTS, SQD -> Set.of(QpState.RESET, QpState.ERR, QpState.RTS, QpState.SQD).contains(to);
      case SQE -> Set.of(QpState.RESET, QpState.ERR, QpState.RTS).contains(to);
      case ERR -> Set.of(QpState.RESET, QpState.ERR).contains(to);
      case UNKNOWN -> false;
    };
  }

  /** The attributes that each transition into this state requires, from any state. */
  static int requiredInto(QpState to) {
    return switch (to) {
      case INIT -> RESET_INIT.required;
      case RTR -> INIT_RTR.required;
      case RTS -> RTR_RTS.required;
      default -> 0;
    };
  }
}
