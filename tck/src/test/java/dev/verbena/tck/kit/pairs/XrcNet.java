package dev.verbena.tck.kit.pairs;

import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.XrcDomain;
import java.util.ArrayList;
import java.util.List;

/** XRC connections from one context to another, whose XRC domain has shared receive queues. */
public final class XrcNet implements AutoCloseable {
  /** Every operation of XRC. */
  static final int XRC_OPS =
      PairSetup.RC_OPS
          | SendOps.FLUSH
          | SendOps.ATOMIC_WRITE
          | SendOps.BIND_MW
          | SendOps.LOCAL_INV
          | SendOps.SEND_WITH_INV;

  private static final int ALL = PairSetup.REMOTE_ALL | Access.FLUSH_GLOBAL;
  private static final int CQE = 256;
  private static final int MR_BYTES = 64 << 10;

  /**
   * A connection.
   *
   * @param left the initiator: XRC_SEND; its receive completion queue has no use
   * @param right the target: XRC_RECV
   */
  public record Connection(QpEnd left, QueuePair right) {}

  private final TckLink link;
  private final List<Context> contexts = new ArrayList<>();
  private final Context left;
  private final Context right;
  private final ProtectionDomain leftPd;
  private final XrcDomain xrcd;
  private int rnrRetry = 7;
  private int access = ALL;

  private XrcNet(TckLink link) {
    this.link = link;
    left = Devices.open(link.device());
    contexts.add(left);
    right = Devices.open(link.device(Addresses.next(), 1));
    contexts.add(right);
    leftPd = left.allocPd();
    xrcd = right.openXrcd();
  }

  /** Two contexts on two devices, without connections. */
  public static XrcNet open(TckLink link) {
    return new XrcNet(link);
  }

  /** Sets the repetitions after RNR NAKs of later connections; 7, without end. */
  public XrcNet rnrRetry(int count) {
    rnrRetry = count;
    return this;
  }

  /** Sets the access that the targets of later connections allow; everything. */
  public XrcNet access(int... flags) {
    access = Access.of(flags);
    return this;
  }

  /** The context of the targets. */
  public Context right() {
    return right;
  }

  /** The XRC domain of the targets. */
  XrcDomain xrcd() {
    return xrcd;
  }

  /** One more shared queue of the XRC domain, of 64 receives, with its own domain. */
  public XrcTarget target() {
    return target(xrcd);
  }

  /** One more shared queue of an XRC domain. */
  public XrcTarget target(XrcDomain domain) {
    Context context = domain.context();
    ProtectionDomain pd = context.allocPd();
    CompletionQueue cq = context.createCq(CQE);
    return new XrcTarget(
        pd,
        domain,
        cq,
        pd.createSrq(SrqInitAttr.xrc(domain, cq, 64, 4)),
        pd.allocMr(MR_BYTES, Access.LOCAL_WRITE, ALL));
  }

  /** One more connection. */
  public Connection connect() {
    Connection connection = unconnected();
    toRts(connection.right(), connection.left().qp().endpoint());
    toRtsAsInitiator(connection.left().qp(), connection.right().endpoint());
    return connection;
  }

  /** Two more queue pairs in RESET. */
  public Connection unconnected() {
    CompletionQueue cq = left.createCq(CQE);
    QpEnd end =
        new QpEnd(
            left,
            leftPd,
            cq,
            cq,
            leftPd.createQpEx(QpInitAttr.xrcSend(cq).sendOps(XRC_OPS)),
            leftPd.allocMr(MR_BYTES, Access.LOCAL_WRITE, Access.MW_BIND));
    return new Connection(end, right.createQpEx(QpInitAttr.xrcRecv(xrcd)));
  }

  /** An initiator on the side of the targets, connected, of the domain of a shared queue. */
  public QpEnd initiatorOf(XrcTarget target) {
    CompletionQueue cq = right.createCq(CQE);
    ProtectionDomain pd = target.pd();
    QpEnd end =
        new QpEnd(
            right,
            pd,
            cq,
            cq,
            pd.createQpEx(QpInitAttr.xrcSend(cq).sendOps(XRC_OPS)),
            pd.allocMr(MR_BYTES, Access.LOCAL_WRITE, Access.MW_BIND));
    QueuePair peer = left.createQpEx(QpInitAttr.xrcRecv(left.openXrcd()));
    toRts(peer, end.qp().endpoint());
    toRtsAsInitiator(end.qp(), peer.endpoint());
    return end;
  }

  /** Takes a target from RESET to RTS. */
  public void toRts(QueuePair target, QpEndpoint peer) {
    target.modify(init().qpAccessFlags(access));
    target.modify(rtr(peer).maxDestRdAtomic(4).minRnrTimer(12));
    target.modify(
        new QpAttr().qpState(QpState.RTS).timeout(link.timeout()).sqPsn(target.endpoint().psn()));
  }

  /** Takes an initiator from RESET to RTS. */
  public void toRtsAsInitiator(QueuePair initiator, QpEndpoint peer) {
    initiator.modify(init().qpAccessFlags(0));
    initiator.modify(rtr(peer));
    initiator.modify(
        new QpAttr()
            .qpState(QpState.RTS)
            .timeout(link.timeout())
            .retryCnt(7)
            .rnrRetry(rnrRetry)
            .maxRdAtomic(4)
            .sqPsn(initiator.endpoint().psn()));
  }

  private static QpAttr init() {
    return new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1);
  }

  private static QpAttr rtr(QpEndpoint peer) {
    return new QpAttr()
        .qpState(QpState.RTR)
        .ahAttr(AhAttr.to(peer))
        .pathMtu(Mtu.MTU_1024)
        .destQpNum(peer.qpNum())
        .rqPsn(peer.psn());
  }

  /** A further context on the device of the targets. */
  public Context anotherRight() {
    Context context = Devices.open(right.device().spec());
    contexts.add(context);
    return context;
  }

  @Override
  public void close() {
    contexts.forEach(Context::close);
  }
}
