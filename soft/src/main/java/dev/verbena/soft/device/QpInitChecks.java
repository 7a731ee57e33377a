package dev.verbena.soft.device;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpCreateFlags;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WrOpcode;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** What queue pairs can be made (S2.2, S4.5.7). */
final class QpInitChecks {
  private static final String FUNCTION = "createQp";

  private static final int KNOWN_FLAGS =
      QpCreateFlags.BLOCK_SELF_MCAST_LB
          | QpCreateFlags.SCATTER_FCS
          | QpCreateFlags.CVLAN_STRIPPING
          | QpCreateFlags.SOURCE_QPN
          | QpCreateFlags.PCI_WRITE_END_PADDING;

  /**
   * Checks everything but the queues that it uses.
   *
   * @throws VerbsException EOPNOTSUPP for what this device does not have, EINVAL for sizes beyond
   *     its limits
   */
  static void check(QpInitAttr attr) {
    QpType type = attr.qpType();
    if (!Limits.hasType(type)) {
      throw Unsupported.verb(FUNCTION, "no queue pairs of type " + type + ", it has RC, UC and UD");
    }
    if (attr.xrcd() != null) {
      throw refused("an XRC domain is for XRC_RECV, not for " + type);
    }
    if (attr.maxTsoHeader() != 0) {
      throw Unsupported.verb(FUNCTION, "no TSO (max_tso is 0)");
    }
    createFlags(type, attr.createFlags());
    sizes(granted(attr));
    sendOps(type, attr.sendOps());
  }

  private static void createFlags(QpType type, int flags) {
    if ((flags & ~KNOWN_FLAGS) != 0) {
      throw refused("unknown create_flags 0x" + Integer.toHexString(flags & ~KNOWN_FLAGS));
    }
    if ((flags & ~QpCreateFlags.BLOCK_SELF_MCAST_LB) != 0) {
      throw Unsupported.verb(
          FUNCTION,
          "no create_flags 0x" + Integer.toHexString(flags) + ", but BLOCK_SELF_MCAST_LB");
    }
    if (flags != 0 && type != QpType.UD) {
      throw refused("BLOCK_SELF_MCAST_LB is for UD, not for " + type);
    }
  }

  /** The sizes of the queues: without a receive queue if there is a shared one (S3.4.4). */
  static QpCap granted(QpInitAttr attr) {
    QpCap cap = attr.cap();
    return attr.srq() == null
        ? cap
        : new QpCap(cap.maxSendWr(), 0, cap.maxSendSge(), 0, cap.maxInlineData());
  }

  private static void sizes(QpCap cap) {
    range("max_send_wr", cap.maxSendWr(), Limits.MAX_QP_WR);
    range("max_recv_wr", cap.maxRecvWr(), Limits.MAX_QP_WR);
    range("max_send_sge", cap.maxSendSge(), Limits.MAX_SGE);
    range("max_recv_sge", cap.maxRecvSge(), Limits.MAX_SGE);
    range("max_inline_data", cap.maxInlineData(), Limits.MAX_INLINE_DATA);
  }

  private static void range(String name, int value, int most) {
    if (value < 0 || value > most) {
      throw refused(name + "=" + value + " is not in 0 to " + most);
    }
  }

  private static void sendOps(QpType type, int asked) {
    int missing = asked & ~Limits.sendOps(type);
    if (missing == 0) {
      return;
    }
    StringJoiner names = new StringJoiner(", ");
    int unnamed = missing;
    for (WrOpcode opcode : WrOpcode.values()) {
      int bit = SendOps.of(opcode);
      if ((missing & bit) != 0) {
        names.add(opcode.name());
        unnamed &= ~bit;
      }
    }
    if (unnamed != 0) {
      names.add("0x" + Integer.toHexString(unnamed));
    }
    throw Unsupported.verb(FUNCTION, "no send operations " + names + " on type " + type);
  }

  /**
   * A completion queue of the attributes.
   *
   * @throws VerbsException EINVAL if it is missing or of another context
   */
  static SoftCompletionQueue cq(SoftContext context, String which, @Nullable CompletionQueue cq) {
    if (cq == null) {
      throw refused("no " + which);
    }
    return context.own(FUNCTION, cq, SoftCompletionQueue.class);
  }

  /**
   * The shared receive queue of the attributes, or null.
   *
   * @throws VerbsException EINVAL if it is of another context
   */
  static @Nullable SoftSharedReceiveQueue srq(SoftContext context, QpInitAttr attr) {
    return attr.srq() == null
        ? null
        : context.own(FUNCTION, attr.srq(), SoftSharedReceiveQueue.class);
  }

  private static VerbsException refused(String detail) {
    return new VerbsException(FUNCTION, Errno.EINVAL, detail);
  }

  private QpInitChecks() {}
}
