package dev.verbena.soft.device.cq;

import dev.verbena.soft.device.spec.Limits;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.CreateCqFlags;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcExFlags;
import dev.verbena.verbs.provider.Unsupported;

/** Checks of the attributes of new completion queues (S6.1, S6.12). */
final class CqInitChecks {
  /** The readable fields. */
  private static final int READABLE =
      WcExFlags.STANDARD_FLAGS
          | WcExFlags.COMPLETION_TIMESTAMP
          | WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK;

  private static final int FLAGS = CreateCqFlags.SINGLE_THREADED | CreateCqFlags.IGNORE_OVERRUN;

  /**
   * Checks everything but the referenced objects.
   *
   * @throws VerbsException EINVAL for a value out of range, EOPNOTSUPP for what this device lacks
   */
  static void check(String function, CqInitAttrEx attr) {
    size(function, attr.cqe());
    int vector = attr.compVector();
    if (vector < 0 || vector >= Limits.COMP_VECTORS) {
      throw new VerbsException(
          function,
          Errno.EINVAL,
          "completion vector " + vector + ", this device has " + Limits.COMP_VECTORS);
    }
    int fields = attr.wcFlags() & ~READABLE;
    if (fields != 0) {
      throw Unsupported.verb(
          function,
          "the software device has no completion fields for wc_flags=0x"
              + Integer.toHexString(fields));
    }
    int flags = attr.flags() & ~FLAGS;
    if (flags != 0) {
      throw Unsupported.verb(
          function,
          "the software device has no completion queue flags=0x" + Integer.toHexString(flags));
    }
  }

  /** Checks a number of entries. */
  static void size(String function, int cqe) {
    if (cqe < 1 || cqe > Limits.MAX_CQE) {
      throw new VerbsException(
          function, Errno.EINVAL, cqe + " entries are not in 1 to max_cqe=" + Limits.MAX_CQE);
    }
  }

  private CqInitChecks() {}
}
