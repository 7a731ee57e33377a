package dev.verbena.soft.device.qp;

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
import static dev.verbena.verbs.QpAttrMask.QKEY;
import static dev.verbena.verbs.QpAttrMask.RATE_LIMIT;
import static dev.verbena.verbs.QpAttrMask.RETRY_CNT;
import static dev.verbena.verbs.QpAttrMask.RNR_RETRY;
import static dev.verbena.verbs.QpAttrMask.RQ_PSN;
import static dev.verbena.verbs.QpAttrMask.SQ_PSN;
import static dev.verbena.verbs.QpAttrMask.TIMEOUT;

import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The transitions of each type, with the attributes that each needs and allows (S4.1-S4.3). */
final class QpTransitions {
  /**
   * A transition.
   *
   * @param required {@link dev.verbena.verbs.QpAttrMask} bits that must be set, without STATE
   * @param optional bits that may be set, without STATE
   */
  record Masks(int required, int optional) {
    private static final Masks NONE = new Masks(0, 0);
  }

  private static final Map<QpType, Map<QpState, Map<QpState, Masks>>> TABLE =
      new EnumMap<>(QpType.class);

  static {
    for (QpType type : QpType.values()) {
      if (type != QpType.DRIVER) {
        TABLE.put(type, table(type));
      }
    }
  }

  /** The transition, or null if there is none. A state to itself is a transition, too (S4.1.4). */
  static @Nullable Masks find(QpType type, QpState from, QpState to) {
    Map<QpState, Map<QpState, Masks>> states = TABLE.get(type);
    Map<QpState, Masks> next = states == null ? null : states.get(from);
    return next == null ? null : next.get(to);
  }

  private static Map<QpState, Map<QpState, Masks>> table(QpType type) {
    Map<QpState, Map<QpState, Masks>> table = new EnumMap<>(QpState.class);
    add(table, QpState.RESET, QpState.RESET, Masks.NONE);
    add(table, QpState.RESET, QpState.INIT, new Masks(toInit(type), 0));
    add(table, QpState.INIT, QpState.INIT, new Masks(0, initAgain(type)));
    add(table, QpState.INIT, QpState.RTR, new Masks(toRtr(type), toRtrOptional(type)));
    add(table, QpState.RTR, QpState.RTS, new Masks(toRts(type), sending(type)));
    add(table, QpState.RTS, QpState.RTS, new Masks(0, sending(type)));
    add(table, QpState.RTS, QpState.SQD, new Masks(0, toSqd(type)));
    add(table, QpState.SQD, QpState.RTS, new Masks(0, sending(type) & ~RATE_LIMIT));
    add(table, QpState.SQD, QpState.SQD, new Masks(0, drained(type)));
    add(table, QpState.SQE, QpState.RTS, new Masks(0, recovered(type)));
    for (QpState from : QpState.values()) {
      if (from == QpState.UNKNOWN) {
        continue;
      }
      add(table, from, QpState.RESET, Masks.NONE);
      // S4.1.1: as in Linux's table, a queue pair that was never set up cannot fail.
      if (from != QpState.RESET) {
        add(table, from, QpState.ERR, Masks.NONE);
      }
    }
    return table;
  }

  private static void add(
      Map<QpState, Map<QpState, Masks>> table, QpState from, QpState to, Masks masks) {
    table.computeIfAbsent(from, any -> new EnumMap<>(QpState.class)).put(to, masks);
  }

  private static int toInit(QpType type) {
    return switch (type) {
      case UD -> PKEY_INDEX | PORT | QKEY;
      case RC, UC, XRC_SEND, XRC_RECV -> PKEY_INDEX | PORT | ACCESS_FLAGS;
      case RAW_PACKET -> PORT;
      case DRIVER -> 0;
    };
  }

  private static int initAgain(QpType type) {
    return switch (type) {
      case UD -> PKEY_INDEX | PORT | QKEY;
      case RC, UC, XRC_SEND, XRC_RECV -> PKEY_INDEX | PORT | ACCESS_FLAGS;
      case RAW_PACKET, DRIVER -> 0;
    };
  }

  private static int toRtr(QpType type) {
    return switch (type) {
      case UC, XRC_SEND -> AV | PATH_MTU | DEST_QPN | RQ_PSN;
      case RC, XRC_RECV -> AV | PATH_MTU | DEST_QPN | RQ_PSN | MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER;
      case UD, RAW_PACKET, DRIVER -> 0;
    };
  }

  private static int toRtrOptional(QpType type) {
    return switch (type) {
      case UD -> PKEY_INDEX | QKEY;
      case RC, UC, XRC_SEND, XRC_RECV -> ALT_PATH | ACCESS_FLAGS | PKEY_INDEX;
      case RAW_PACKET, DRIVER -> 0;
    };
  }

  private static int toRts(QpType type) {
    return switch (type) {
      case UD, UC -> SQ_PSN;
      case RC, XRC_SEND -> TIMEOUT | RETRY_CNT | RNR_RETRY | SQ_PSN | MAX_QP_RD_ATOMIC;
      case XRC_RECV -> TIMEOUT | SQ_PSN;
      case RAW_PACKET, DRIVER -> 0;
    };
  }

  /** Optional on the way to RTS, and in RTS. */
  private static int sending(QpType type) {
    return switch (type) {
      case UD -> CUR_STATE | QKEY;
      case UC, XRC_SEND -> CUR_STATE | ALT_PATH | ACCESS_FLAGS | PATH_MIG_STATE;
      case RC, XRC_RECV -> CUR_STATE | ALT_PATH | ACCESS_FLAGS | PATH_MIG_STATE | MIN_RNR_TIMER;
      case RAW_PACKET -> RATE_LIMIT;
      case DRIVER -> 0;
    };
  }

  private static int toSqd(QpType type) {
    return type == QpType.RAW_PACKET ? 0 : EN_SQD_ASYNC_NOTIFY;
  }

  /** Optional in SQD. */
  private static int drained(QpType type) {
    int connected = AV | ALT_PATH | ACCESS_FLAGS | PKEY_INDEX | PATH_MIG_STATE;
    return switch (type) {
      case UD -> PKEY_INDEX | QKEY;
      case UC -> connected;
      case RC ->
          connected
              | PORT
              | TIMEOUT
              | RETRY_CNT
              | RNR_RETRY
              | MAX_QP_RD_ATOMIC
              | MAX_DEST_RD_ATOMIC
              | MIN_RNR_TIMER;
      case XRC_SEND -> connected | PORT | TIMEOUT | RETRY_CNT | RNR_RETRY | MAX_QP_RD_ATOMIC;
      case XRC_RECV -> connected | PORT | TIMEOUT | MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER;
      case RAW_PACKET, DRIVER -> 0;
    };
  }

  /** Optional on the way from SQE to RTS; the reliable types are never in SQE. */
  private static int recovered(QpType type) {
    return switch (type) {
      case UD -> CUR_STATE | QKEY;
      case UC -> CUR_STATE | ACCESS_FLAGS;
      case RC, XRC_SEND, XRC_RECV, RAW_PACKET, DRIVER -> 0;
    };
  }

  private QpTransitions() {}
}
