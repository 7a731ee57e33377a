package dev.verbena.verbs.provider;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RxHashConf;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.XrcDomain;
import org.jspecify.annotations.Nullable;

/** Rules for the attributes of new queue pairs, for every device. */
public final class QpInitRules {
  /** Whether such a queue pair distributes frames over work queues. */
  public static boolean hashes(QpInitAttr attr) {
    return attr.rwqIndTbl() != null || attr.rxHashConf() != null;
  }

  /**
   * The hash of a queue pair that distributes frames over work queues.
   *
   * @throws VerbsException EINVAL without it or the table, and for what such a queue pair does not
   *     have
   */
  public static RxHashConf hash(String function, QpInitAttr attr) {
    RxHashConf hash = attr.rxHashConf();
    if (attr.rwqIndTbl() == null || hash == null) {
      throw refused(function, "rx_hash_conf and rwq_ind_tbl must be set together");
    }
    if (attr.srq() != null || attr.hasSendOps()) {
      throw refused(function, "a QP that hashes has neither an SRQ nor send operations");
    }
    return hash;
  }

  /**
   * Checks that a protection domain makes such a queue pair.
   *
   * @throws VerbsException EINVAL for XRC_RECV, and for an XRC domain
   */
  public static void ofProtectionDomain(String function, QpInitAttr attr) {
    if (attr.qpType() == QpType.XRC_RECV) {
      throw refused(function, "XRC_RECV has no protection domain: Context.createQpEx makes it");
    }
    if (attr.xrcd() != null) {
      throw refused(function, "an XRC domain is for XRC_RECV, not for " + attr.qpType());
    }
  }

  /**
   * The XRC domain of an XRC_RECV queue pair, whose other attributes are ignored.
   *
   * @throws VerbsException EINVAL if it is missing, for another type, and with send operations
   */
  public static XrcDomain xrcd(String function, QpInitAttr attr) {
    if (attr.qpType() != QpType.XRC_RECV) {
      throw refused(
          function, "a queue pair of type " + attr.qpType() + " is made by a protection domain");
    }
    if (attr.hasSendOps()) {
      throw refused(function, "XRC_RECV has no send operations");
    }
    XrcDomain xrcd = attr.xrcd();
    if (xrcd == null) {
      throw refused(function, "no xrcd");
    }
    return xrcd;
  }

  /** The attributes of an XRC_RECV queue pair, or of another handle of it. */
  public static QpInitAttr ofXrcRecv(XrcDomain xrcd, @Nullable Object qpContext) {
    return new QpInitAttr(QpType.XRC_RECV)
        .cap(new QpCap(0, 0, 0, 0, 0))
        .xrcd(xrcd)
        .qpContext(qpContext);
  }

  /**
   * The granted attributes: everything requested, but without receive sizes if the queue pair has
   * no receive queue of its own.
   */
  public static QpInitAttr granted(QpInitAttr attr) {
    QpInitAttr granted = attr.copy();
    if (hashes(attr)) {
      return granted.sendCq(null).recvCq(null).maxTsoHeader(0).cap(new QpCap(0, 0, 0, 0, 0));
    }
    boolean onlySends = attr.qpType() == QpType.XRC_SEND;
    if (onlySends) {
      granted.recvCq(null).srq(null);
    }
    return onlySends || attr.srq() != null ? granted.maxRecvWr(0).maxRecvSge(0) : granted;
  }

  /** Why receives cannot be posted to such a queue pair, or null if they can. */
  public static @Nullable String withoutReceives(QpInitAttr attr) {
    if (attr.srq() != null) {
      return "this QP takes receives from " + attr.srq() + ": post them there";
    }
    if (hashes(attr)) {
      return "this QP hashes: post receives to the WQs of its table";
    }
    return switch (attr.qpType()) {
      case XRC_SEND, XRC_RECV -> "a QP of type " + attr.qpType() + " has no receive queue";
      default -> null;
    };
  }

  private static VerbsException refused(String function, String detail) {
    return new VerbsException(function, Errno.EINVAL, detail);
  }

  private QpInitRules() {}
}
