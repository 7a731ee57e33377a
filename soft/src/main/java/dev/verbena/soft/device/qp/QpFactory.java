package dev.verbena.soft.device.qp;

import dev.verbena.soft.device.cq.SoftCompletionQueue;
import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.device.object.OpenDomain;
import dev.verbena.soft.device.raw.SoftRwqIndTable;
import dev.verbena.soft.engine.qp.QpSetup;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpOpenAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.QpInitRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes queue pairs, and further handles of XRC_RECV queue pairs. */
public final class QpFactory {
  private static final String CREATE = "createQp";
  private static final String CREATE_EX = "createQpEx";
  private static final String OPEN = "openQp";

  /** The number of the queue pair for management datagrams. */
  private static final int MANAGEMENT = 1;

  /** A queue pair of a protection domain: every type but XRC_RECV. */
  public static SoftQueuePair create(OpenDomain pd, QpInitAttr attr) {
    return create(pd, attr, 0);
  }

  /** The UD queue pair for management datagrams; a device has at most one at a time. */
  public static SoftQueuePair createManagement(OpenDomain pd, QpInitAttr attr) {
    return create(pd, attr, MANAGEMENT);
  }

  private static SoftQueuePair create(OpenDomain pd, QpInitAttr attr, int number) {
    pd.lifetime().require(CREATE);
    QpInitChecks.check(attr);
    OpenContext context = pd.openContext();
    if (attr.qpType() == QpType.RAW_PACKET) {
      context.port().requireEthernet(CREATE);
    }
    QpInitAttr init = QpInitRules.granted(attr);
    if (QpInitRules.hashes(init)) {
      return createHashing(pd, init);
    }
    SoftCompletionQueue sendCq = QpInitChecks.cq(context, "send_cq", init.sendCq());
    List<Lifetime> uses = new ArrayList<>(List.of(sendCq.lifetime()));
    SoftCompletionQueue recvCq = sendCq;
    SoftSharedReceiveQueue srq = null;
    if (attr.qpType() != QpType.XRC_SEND) {
      recvCq = QpInitChecks.cq(context, "recv_cq", init.recvCq());
      uses.add(recvCq.lifetime());
      srq = QpInitChecks.srq(context, init);
    }
    if (srq != null) {
      uses.add(srq.lifetime());
    }
    CompletionRing sends = sendCq.ring();
    CompletionRing receives = recvCq.ring();
    var shared = srq == null ? null : srq.receives(receives, pd.domain());
    QpInstance instance =
        new QpInstance(
            context,
            events ->
                new QpSetup(
                    number,
                    init.qpType(),
                    init.cap(),
                    init.maxTsoHeader(),
                    sends,
                    receives,
                    shared,
                    pd.domain(),
                    pd.locks(),
                    events));
    SoftQueuePair qp =
        init.hasSendOps()
            ? new SoftQueuePairEx(context, pd, init, instance)
            : new SoftQueuePair(context, pd, init, instance);
    qp.lifetime().begin(CREATE, uses);
    return qp;
  }

  /** A queue pair that distributes frames over work queues, and has no queues of its own. */
  private static SoftQueuePair createHashing(OpenDomain pd, QpInitAttr init) {
    OpenContext context = pd.openContext();
    SoftRwqIndTable table =
        context.own(CREATE, Objects.requireNonNull(init.rwqIndTbl()), SoftRwqIndTable.class);
    QpInstance instance =
        new QpInstance(
            context,
            events ->
                new QpSetup(
                    QpSetup.ANY_NUMBER,
                    init.qpType(),
                    init.cap(),
                    init.maxTsoHeader(),
                    CompletionRing.unused(),
                    CompletionRing.unused(),
                    /* shared= */ null,
                    pd.domain(),
                    pd.locks(),
                    events));
    SoftQueuePair qp = new SoftQueuePair(context, pd, init, instance);
    qp.lifetime().begin(CREATE, List.of(table.lifetime()));
    return qp;
  }

  /** A queue pair of an XRC domain: type XRC_RECV (S7.3). */
  public static SoftQueuePair createXrcRecv(OpenContext context, QpInitAttr attr) {
    context.lifetime().require(CREATE_EX);
    SoftXrcDomain xrcd = QpInitChecks.xrcd(CREATE_EX, context, attr);
    QpInitAttr init = QpInitRules.ofXrcRecv(xrcd, attr.qpContext());
    XrcShare share = xrcd.share();
    QpInstance instance =
        new QpInstance(
            context,
            events ->
                new QpSetup(
                    QpSetup.ANY_NUMBER,
                    QpType.XRC_RECV,
                    init.cap(),
                    /* maxTsoHeader= */ 0,
                    CompletionRing.unused(),
                    CompletionRing.unused(),
                    share.receives(),
                    new Domain(),
                    /* locksPosting= */ true,
                    events));
    SoftQueuePair qp = new SoftQueuePair(context, null, init, instance);
    share.add(instance);
    qp.lifetime().begin(CREATE_EX, List.of(xrcd.lifetime()));
    return qp;
  }

  /** One more handle of an XRC_RECV queue pair. */
  public static SoftQueuePair open(OpenContext context, QpOpenAttr attr) {
    context.lifetime().require(OPEN);
    SoftXrcDomain xrcd = context.own(OPEN, attr.xrcd(), SoftXrcDomain.class);
    if (attr.qpType() != QpType.XRC_RECV) {
      throw new VerbsException(
          OPEN, Errno.EINVAL, "only XRC_RECV queue pairs are shared, not " + attr.qpType());
    }
    QpInstance instance = xrcd.share().find(attr.qpNum());
    if (instance == null) {
      throw gone(xrcd, attr);
    }
    QpInitAttr init = QpInitRules.ofXrcRecv(xrcd, attr.qpContext());
    SoftQueuePair qp = new SoftQueuePair(context, null, init, instance);
    if (!qp.isAttached()) {
      throw gone(xrcd, attr);
    }
    qp.lifetime().begin(OPEN, List.of(xrcd.lifetime()));
    return qp;
  }

  /** The queue pair with this number that was made from an object; null if there is none. */
  public static @Nullable QueuePair find(Lifetime owner, int qpNum) {
    owner.require("fromQpNum");
    return owner.find(SoftQueuePair.class, qp -> qp.runtime().qpNum() == qpNum);
  }

  private static VerbsException gone(SoftXrcDomain xrcd, QpOpenAttr attr) {
    return new VerbsException(
        OPEN, Errno.ENOENT, xrcd + " has no queue pair 0x" + Integer.toHexString(attr.qpNum()));
  }

  private QpFactory() {}
}
