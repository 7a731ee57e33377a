package dev.verbena.tck.kit.pairs;

import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SharedReceiveQueue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes and connects a pair of queue pairs, by default RC. Both ends get the same values; the
 * defaults suit tests that are not about them.
 */
public final class PairSetup {
  /** Every operation of an RC queue pair that needs no memory window. */
  public static final int RC_OPS =
      SendOps.RDMA_WRITE
          | SendOps.RDMA_WRITE_WITH_IMM
          | SendOps.SEND
          | SendOps.SEND_WITH_IMM
          | SendOps.RDMA_READ
          | SendOps.ATOMIC_CMP_AND_SWP
          | SendOps.ATOMIC_FETCH_AND_ADD;

  /** Every operation of a UC queue pair that needs no memory window. */
  public static final int UC_OPS =
      SendOps.RDMA_WRITE | SendOps.RDMA_WRITE_WITH_IMM | SendOps.SEND | SendOps.SEND_WITH_IMM;

  /** Every operation of a UD queue pair but TSO. */
  public static final int UD_OPS = SendOps.SEND | SendOps.SEND_WITH_IMM;

  /** The Q_Key of UD queue pairs. */
  public static final int QKEY = 0x1234_5678;

  /** All remote rights of a queue pair. */
  public static final int REMOTE_ALL =
      Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

  private final TckLink link;
  private QpType type = QpType.RC;
  private int qkey = QKEY;
  private Topology topology = Topology.TWO_DEVICES;
  private long mrBytes = 64 << 10;
  private int mrAccess = Access.LOCAL_WRITE | REMOTE_ALL;
  private QpCap cap = new QpCap(128, 128, 4, 4, 64);
  private int cqe = 1024;
  private boolean sqSigAll;
  private boolean threadDomain;
  private int sendOps = RC_OPS;
  private int createFlags;
  private int maxTsoHeader;
  private int qpAccess = REMOTE_ALL;
  private Mtu mtu = Mtu.MTU_1024;
  private int timeout;
  private int retryCnt = TckLink.retryCnt();
  private int rnrRetry = 7;
  private int minRnrTimer = 12;
  private int maxRdAtomic = 4;
  private int maxDestRdAtomic = 4;

  private PairSetup(TckLink link) {
    this.link = link;
    this.timeout = link.timeout();
  }

  /** The defaults on this link. */
  public static PairSetup on(TckLink link) {
    return new PairSetup(link);
  }

  /** Sets the type of the queue pairs, and all operations that they have without windows. */
  public PairSetup type(QpType value) {
    type = value;
    sendOps =
        switch (value) {
          case RC -> RC_OPS;
          case UC -> UC_OPS;
          case UD -> UD_OPS;
          default -> throw new IllegalArgumentException("no pairs of type " + value);
        };
    return this;
  }

  /** Sets the Q_Key of UD queue pairs; {@link #QKEY}. */
  public PairSetup qkey(int value) {
    qkey = value;
    return this;
  }

  /** Sets where the ends are; on two devices. */
  public PairSetup topology(Topology value) {
    topology = value;
    return this;
  }

  /** Sets the bytes of memory of each end; 64 KiB. */
  public PairSetup mrBytes(long value) {
    mrBytes = value;
    return this;
  }

  /** Sets the rights of that memory; all but windows. */
  public PairSetup mrAccess(int... flags) {
    mrAccess = Access.of(flags);
    return this;
  }

  /** Sets the sizes of the queue pairs; 128 requests of 4 elements, 64 bytes of inline data. */
  public PairSetup cap(QpCap value) {
    cap = value;
    return this;
  }

  /** Sets the entries of each completion queue; 1024. */
  public PairSetup cqe(int value) {
    cqe = value;
    return this;
  }

  /** Makes every send work request generate a completion. */
  public PairSetup sqSigAll() {
    sqSigAll = true;
    return this;
  }

  /** Creates the queue pairs on a parent domain with a thread domain. */
  public PairSetup threadDomain() {
    threadDomain = true;
    return this;
  }

  /** Sets the operations of the extended API; all that need no window. */
  public PairSetup sendOps(int... ops) {
    sendOps = Access.of(ops);
    return this;
  }

  /** Sets the creation flags of later queue pairs; none. */
  public PairSetup createFlags(int... flags) {
    createFlags = Access.of(flags);
    return this;
  }

  /** Sets the bytes of the longest TSO header; 0, no TSO. */
  public PairSetup maxTsoHeader(int value) {
    maxTsoHeader = value;
    return this;
  }

  /** Sets the access that the queue pairs allow their peers; everything. */
  public PairSetup qpAccess(int... flags) {
    qpAccess = Access.of(flags);
    return this;
  }

  /** Sets the path MTU; 1024. */
  public PairSetup mtu(Mtu value) {
    mtu = value;
    return this;
  }

  /** Sets the timeout code; the link's. */
  public PairSetup timeout(int code) {
    timeout = code;
    return this;
  }

  /** Sets the repetitions; {@link TckLink#retryCnt}. */
  public PairSetup retryCnt(int count) {
    retryCnt = count;
    return this;
  }

  /** Sets the repetitions after RNR NAKs; 7, without end. */
  public PairSetup rnrRetry(int count) {
    rnrRetry = count;
    return this;
  }

  /** Sets the RNR timer code; 12, 0.64 ms. */
  public PairSetup minRnrTimer(int code) {
    minRnrTimer = code;
    return this;
  }

  /** Sets how many READs and atomics an end may have outstanding; 4. */
  public PairSetup maxRdAtomic(int count) {
    maxRdAtomic = count;
    return this;
  }

  /** Sets how many READs and atomics an end serves; 4. */
  public PairSetup maxDestRdAtomic(int count) {
    maxDestRdAtomic = count;
    return this;
  }

  /** A connected pair. */
  public QpPair open() {
    QpPair pair = openUnconnected();
    connect(pair);
    return pair;
  }

  /** A pair whose queue pairs are in RESET. */
  public QpPair openUnconnected() {
    List<Context> opened = new ArrayList<>();
    try {
      DeviceSpec spec = link.device();
      Context left = Devices.open(spec);
      opened.add(left);
      if (topology == Topology.ONE_CONTEXT) {
        ProtectionDomain pd = left.allocPd();
        return new QpPair(end(left, pd), end(left, pd));
      }
      Context right =
          Devices.open(topology == Topology.TWO_CONTEXTS ? spec : link.device(Addresses.next(), 1));
      opened.add(right);
      return new QpPair(end(left, left.allocPd()), end(right, right.allocPd()));
    } catch (RuntimeException | Error failure) {
      opened.forEach(Context::close);
      throw failure;
    }
  }

  /** Takes both ends of a pair from RESET to RTS. */
  public void connect(QpPair pair) {
    connect(pair.left().qp(), pair.right().qp().endpoint());
    connect(pair.right().qp(), pair.left().qp().endpoint());
  }

  /** Takes a queue pair from RESET to RTS. */
  public void connect(QueuePair qp, QpEndpoint remote) {
    toInit(qp);
    toRtr(qp, remote);
    toRts(qp);
  }

  /** Takes a queue pair from RESET to INIT. */
  public void toInit(QueuePair qp) {
    qp.modify(initAttr());
  }

  /** Takes a queue pair from INIT to RTR. */
  public void toRtr(QueuePair qp, QpEndpoint remote) {
    qp.modify(rtrAttr(remote));
  }

  /** Takes a queue pair from RTR to RTS. */
  public void toRts(QueuePair qp) {
    qp.modify(rtsAttr(qp.endpoint().psn()));
  }

  /** The attributes for the step from RESET to INIT. */
  QpAttr initAttr() {
    QpAttr attr = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1);
    return type == QpType.UD ? attr.qkey(qkey) : attr.qpAccessFlags(qpAccess);
  }

  /** The attributes for the step from INIT to RTR. */
  public QpAttr rtrAttr(QpEndpoint remote) {
    QpAttr attr = new QpAttr().qpState(QpState.RTR);
    if (type == QpType.UD) {
      return attr;
    }
    attr.ahAttr(AhAttr.to(remote)).pathMtu(mtu).destQpNum(remote.qpNum()).rqPsn(remote.psn());
    return type == QpType.UC
        ? attr
        : attr.maxDestRdAtomic(maxDestRdAtomic).minRnrTimer(minRnrTimer);
  }

  /** The attributes for the step from RTR to RTS. */
  public QpAttr rtsAttr(int sqPsn) {
    QpAttr attr = new QpAttr().qpState(QpState.RTS).sqPsn(sqPsn);
    return type == QpType.RC
        ? attr.timeout(timeout).retryCnt(retryCnt).rnrRetry(rnrRetry).maxRdAtomic(maxRdAtomic)
        : attr;
  }

  /** One more connected pair in the contexts and domains of another one. */
  public QpPair another(QpPair pair) {
    QpPair next =
        new QpPair(
            end(pair.left().context(), pair.left().pd()),
            end(pair.right().context(), pair.right().pd()));
    connect(next);
    return next;
  }

  /** An end in RESET in this context and domain; its receive completions have a channel. */
  public QpEnd end(Context context, ProtectionDomain pd) {
    return end(pd, context.createCq(cqe), context.createCq(cqe, context.createCompChannel()));
  }

  /** An end in RESET in this domain with these completion queues. */
  public QpEnd end(ProtectionDomain pd, CompletionQueue sendCq, CompletionQueue recvCq) {
    return end(pd, sendCq, recvCq, null);
  }

  /** As {@link #end(ProtectionDomain, CompletionQueue, CompletionQueue)} with a shared queue. */
  public QpEnd end(
      ProtectionDomain pd,
      CompletionQueue sendCq,
      CompletionQueue recvCq,
      @Nullable SharedReceiveQueue srq) {
    Context context = pd.context();
    ProtectionDomain qpPd = threadDomain ? context.allocParentDomain(pd, context.allocTd()) : pd;
    QpInitAttr attr =
        new QpInitAttr(type)
            .sendCq(sendCq)
            .recvCq(recvCq)
            .srq(srq)
            .cap(cap)
            .sqSigAll(sqSigAll)
            .maxTsoHeader(maxTsoHeader)
            .createFlags(new int[] {createFlags})
            .sendOps(sendOps);
    return new QpEnd(
        context, pd, sendCq, recvCq, qpPd.createQpEx(attr), link.memory(pd, mrBytes, mrAccess));
  }
}
