package dev.verbena.verbs.provider;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;

/** Rules for ibv_bind_mw, for every device. */
public final class BindRules {
  private static final String BIND = "bindMw";

  /** Whether queue pairs of this type bind windows; a driver may not survive it on others. */
  public static boolean isBoundBy(QpType type) {
    return type == QpType.RC || type == QpType.UC || type == QpType.XRC_SEND;
  }

  /**
   * Checks a window that is to be bound, the range without a region that unbinds it, and the type
   * of the queue pair.
   *
   * @throws VerbsException EINVAL
   */
  public static void type1(MemoryWindow mw, MwBindInfo info, QpType type) {
    if (mw.type() != MwType.TYPE_1) {
      throw invalid(mw + " is of type 2, which a BIND_MW work request binds");
    }
    if ((info.mwAccessFlags() & Access.ZERO_BASED) != 0) {
      throw invalid(mw + " is of type 1, which cannot be ZERO_BASED");
    }
    if (info.mr() == null && (info.addr() != 0 || info.length() != 0)) {
      throw invalid(
          mw
              + ": addr 0x"
              + Long.toHexString(info.addr())
              + " and length "
              + info.length()
              + " without a region; to unbind, both are 0");
    }
    if (!isBoundBy(type)) {
      throw invalid("a queue pair of type " + type + " does not bind windows, such as " + mw);
    }
  }

  private static VerbsException invalid(String detail) {
    return new VerbsException(BIND, Errno.EINVAL, detail);
  }

  private BindRules() {}
}
