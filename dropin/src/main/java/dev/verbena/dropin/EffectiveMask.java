package dev.verbena.dropin;

import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpType;

/** What of a program's attribute mask counts. */
final class EffectiveMask {
  /** The attributes that an XRC initiator does not use, and those that a target does not use. */
  private static final int OF_RESPONDERS = QpAttrMask.MAX_DEST_RD_ATOMIC | QpAttrMask.MIN_RNR_TIMER;

  private static final int OF_REQUESTERS =
      QpAttrMask.MAX_QP_RD_ATOMIC | QpAttrMask.RETRY_CNT | QpAttrMask.RNR_RETRY;

  /**
   * The effective bits of a program's mask. For an XRC queue pair, which is only half of a
   * connection, Linux removes the attributes of the missing half before a device sees the mask;
   * programs such as perftest treat these queue pairs like RC.
   */
  static int of(QpType type, int mask) {
    return switch (type) {
      case XRC_SEND -> mask & ~OF_RESPONDERS;
      case XRC_RECV -> mask & ~OF_REQUESTERS;
      default -> mask;
    };
  }

  private EffectiveMask() {}
}
