package dev.verbena.soft.device.qp;

import dev.verbena.soft.device.open.SoftPort;
import dev.verbena.soft.device.spec.Limits;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.PathMigState;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.Unsupported;

/** Checks the values that a modify sets (S4.4). */
final class QpAttrChecks {
  private static final String FUNCTION = "modifyQp";
  private static final int MAX_TIMEOUT = 31;
  private static final int MAX_RETRIES = 7;

  /** Rights that a queue pair accepts; some of them do not affect incoming requests. */
  private static final int ACCESS =
      Limits.ACCESS | Access.FLUSH_GLOBAL | Access.FLUSH_PERSISTENT | Access.OPTIONAL_RANGE;

  private final QpAttr attr;
  private final int mask;
  private final SoftPort port;

  private QpAttrChecks(QpAttr attr, int mask, SoftPort port) {
    this.attr = attr;
    this.mask = mask;
    this.port = port;
  }

  /**
   * Checks the attributes that {@code mask} names.
   *
   * @throws VerbsException EINVAL that names the value and the limit; EOPNOTSUPP for path migration
   */
  static void check(QpAttr attr, int mask, SoftPort port) {
    QpAttrChecks checks = new QpAttrChecks(attr, mask, port);
    checks.tables();
    checks.address();
    checks.ranges();
    checks.migration();
  }

  private void tables() {
    if (has(QpAttrMask.PORT)) {
      SoftPort.checkNumber(FUNCTION, attr.portNum());
    }
    if (has(QpAttrMask.PKEY_INDEX)) {
      pkey();
    }
    if (has(QpAttrMask.ACCESS_FLAGS) && (attr.qpAccessFlags() & ~ACCESS) != 0) {
      throw refused(
          "unknown bits 0x"
              + Integer.toHexString(attr.qpAccessFlags() & ~ACCESS)
              + " in qp_access_flags");
    }
  }

  private void pkey() {
    if (port.pkey(FUNCTION, attr.pkeyIndex()) == 0) {
      throw refused("P_Key index " + attr.pkeyIndex() + " is empty");
    }
  }

  private void address() {
    if (has(QpAttrMask.AV)) {
      port.checkAddress(FUNCTION, attr.ahAttr());
      if (attr.ahAttr().dgid().isMulticast()) {
        throw refused("the group " + attr.ahAttr().dgid() + " cannot be the peer of a connection");
      }
    }
    if (has(QpAttrMask.PATH_MTU) && attr.pathMtu().compareTo(port.activeMtu()) > 0) {
      throw refused(
          "path_mtu " + attr.pathMtu().bytes() + ", the port has " + port.activeMtu().bytes());
    }
    range(QpAttrMask.DEST_QPN, "dest_qp_num", attr.destQpNum(), Limits.MAX_QPN);
  }

  private void ranges() {
    range(QpAttrMask.TIMEOUT, "timeout", attr.timeout(), MAX_TIMEOUT);
    range(QpAttrMask.RETRY_CNT, "retry_cnt", attr.retryCnt(), MAX_RETRIES);
    range(QpAttrMask.RNR_RETRY, "rnr_retry", attr.rnrRetry(), MAX_RETRIES);
    range(QpAttrMask.MIN_RNR_TIMER, "min_rnr_timer", attr.minRnrTimer(), MAX_TIMEOUT);
    range(QpAttrMask.MAX_QP_RD_ATOMIC, "max_rd_atomic", attr.maxRdAtomic(), Limits.MAX_RD_ATOMIC);
    range(
        QpAttrMask.MAX_DEST_RD_ATOMIC,
        "max_dest_rd_atomic",
        attr.maxDestRdAtomic(),
        Limits.MAX_RD_ATOMIC);
  }

  /** S4.5.9: there is no automatic path migration. */
  private void migration() {
    boolean rearms = has(QpAttrMask.PATH_MIG_STATE) && attr.pathMigState() != PathMigState.MIGRATED;
    if (has(QpAttrMask.ALT_PATH) || rearms) {
      throw Unsupported.verb(
          FUNCTION,
          "the software device has no alternate paths (device_cap_flags lacks AUTO_PATH_MIG)");
    }
  }

  private void range(int bit, String name, int value, int most) {
    if (has(bit) && (value < 0 || value > most)) {
      throw refused(name + " " + value + " is not in 0 to " + most);
    }
  }

  private boolean has(int bit) {
    return (mask & bit) != 0;
  }

  private static VerbsException refused(String detail) {
    return new VerbsException(FUNCTION, Errno.EINVAL, detail);
  }
}
