package dev.verbena.soft.device.qp;

import dev.verbena.soft.device.cq.SoftCompletionQueue;
import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.device.raw.RxHashChecks;
import dev.verbena.soft.device.spec.Limits;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpCreateFlags;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SrqType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.provider.QpInitRules;
import dev.verbena.verbs.provider.Unsupported;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Checks of the attributes of new queue pairs (S2.2, S4.5.7). */
final class QpInitChecks {
  private static final String FUNCTION = "createQp";

  private static final int KNOWN_FLAGS =
      QpCreateFlags.BLOCK_SELF_MCAST_LB
          | QpCreateFlags.SCATTER_FCS
          | QpCreateFlags.CVLAN_STRIPPING
          | QpCreateFlags.PCI_WRITE_END_PADDING;

  /**
   * Checks everything but the used queues.
   *
   * @throws VerbsException EOPNOTSUPP for what this device lacks, EINVAL for sizes beyond its
   *     limits
   */
  static void check(QpInitAttr attr) {
    QpType type = attr.qpType();
    if (!Limits.hasType(type)) {
      throw Unsupported.verb(FUNCTION, "the software device has no queue pairs of type " + type);
    }
    QpInitRules.ofProtectionDomain(FUNCTION, attr);
    if (QpInitRules.hashes(attr)) {
      RxHashChecks.check(attr);
    }
    tso(type, attr.maxTsoHeader());
    createFlags(type, attr.createFlags());
    sizes(QpInitRules.granted(attr).cap());
    sendOps(type, attr.sendOps());
  }

  private static void createFlags(QpType type, int flags) {
    if ((flags & ~KNOWN_FLAGS) != 0) {
      throw refused("unknown create_flags 0x" + Integer.toHexString(flags & ~KNOWN_FLAGS));
    }
    if ((flags & ~QpCreateFlags.BLOCK_SELF_MCAST_LB) != 0) {
      throw Unsupported.verb(
          FUNCTION,
          "the software device has no create_flags but BLOCK_SELF_MCAST_LB; given are 0x"
              + Integer.toHexString(flags));
    }
    if (flags != 0 && type != QpType.UD) {
      throw refused("BLOCK_SELF_MCAST_LB is for UD, not for " + type);
    }
  }

  /** S9.7. */
  private static void tso(QpType type, int maxHeader) {
    if (maxHeader != 0 && (SendOperation.sendOps(type) & SendOps.TSO) == 0) {
      throw Unsupported.verb(
          FUNCTION, "queue pairs of type " + type + " have no TSO (tso_supported_qpts)");
    }
    range("max_tso_header", maxHeader, Limits.MAX_TSO_HEADER);
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
    int missing = asked & ~SendOperation.sendOps(type);
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
    throw Unsupported.verb(
        FUNCTION, "queue pairs of type " + type + " do not have the send operations " + names);
  }

  /**
   * A completion queue of the attributes.
   *
   * @throws VerbsException EINVAL if it is missing or of another context
   */
  static SoftCompletionQueue cq(OpenContext context, String which, @Nullable CompletionQueue cq) {
    if (cq == null) {
      throw refused("no " + which);
    }
    return context.own(FUNCTION, cq, SoftCompletionQueue.class);
  }

  /**
   * The shared receive queue of the attributes, or null.
   *
   * @throws VerbsException EINVAL if it is of another context or of kind XRC, and for RAW_PACKET
   *     (S3.4.3)
   */
  static @Nullable SoftSharedReceiveQueue srq(OpenContext context, QpInitAttr attr) {
    if (attr.srq() == null) {
      return null;
    }
    SoftSharedReceiveQueue srq = context.own(FUNCTION, attr.srq(), SoftSharedReceiveQueue.class);
    if (attr.qpType() == QpType.RAW_PACKET) {
      throw refused("RAW_PACKET receives frames, and " + srq + " holds no receives for frames");
    }
    if (srq.srqType() != SrqType.BASIC) {
      throw refused(srq + " is of kind XRC: requests name it, no queue pair is made with it");
    }
    return srq;
  }

  /**
   * The XRC domain of an XRC_RECV queue pair.
   *
   * @throws VerbsException EINVAL as {@link QpInitRules#xrcd}, and if it is of another context
   */
  static SoftXrcDomain xrcd(String function, OpenContext context, QpInitAttr attr) {
    return context.own(function, QpInitRules.xrcd(function, attr), SoftXrcDomain.class);
  }

  private static VerbsException refused(String detail) {
    return new VerbsException(FUNCTION, Errno.EINVAL, detail);
  }

  private QpInitChecks() {}
}
