package dev.verbena.soft.device;

import dev.verbena.soft.engine.Engine;
import dev.verbena.soft.engine.QpRuntime;
import dev.verbena.soft.engine.QpSetup;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBind;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue pair of the software device, without the extended posting API. */
sealed class SoftQueuePair implements QueuePair, SoftObject, Lifetime.Ending
    permits SoftQueuePairEx {
  private static final int PSN_BITS = 24;

  private final SoftProtectionDomain pd;
  private final Engine engine;
  private final QpInitAttr init;
  private final QpRuntime runtime;
  private final QpAsyncEvents events;
  private final Lifetime lifetime;
  private final PostSection section;
  private final SendRules sendRules;
  private final WindowRules windowRules;
  private final SendPoster sends;
  private final WindowPoster binds;
  private final RecvPoster receives;
  private final QpModifier modifier;
  private final McastGroups groups;
  private volatile QpState state = QpState.RESET;
  private volatile int startPsn;

  /**
   * @param init what it is; kept
   */
  SoftQueuePair(SoftProtectionDomain pd, QpInitAttr init, QpRuntime runtime, QpAsyncEvents events) {
    SoftContext context = pd.softContext();
    this.pd = pd;
    this.engine = context.engine();
    this.init = init;
    this.runtime = runtime;
    this.events = events;
    this.lifetime = pd.lifetime().child(Kind.QP, "0x" + Integer.toHexString(runtime.qpNum()), this);
    this.startPsn = drawPsn(engine);
    this.section = new PostSection(runtime.postGuard());
    this.sendRules =
        new SendRules(
            init.qpType(),
            init.cap(),
            init.sqSigAll(),
            engine.keys(),
            pd.domain(),
            context.port().activeMtu().bytes());
    this.windowRules = new WindowRules(context, init.qpType());
    this.sends = new SendPoster(runtime, section, sendRules, windowRules);
    this.binds = new WindowPoster(runtime, section, sendRules, windowRules);
    this.receives =
        new RecvPoster(runtime, section, init.maxRecvSge(), withoutReceives(init.srq()));
    this.modifier =
        new QpModifier(lifetime.name(), init.qpType(), init.cap(), runtime, context.port());
    this.groups =
        new McastGroups(lifetime, init, runtime, engine.multicast(), context.port().address());
  }

  private static int drawPsn(Engine engine) {
    return engine.random().nextInt() >>> (Integer.SIZE - PSN_BITS);
  }

  static SoftQueuePair create(SoftProtectionDomain pd, QpInitAttr attr) {
    String function = "createQp";
    pd.lifetime().require(function);
    QpInitChecks.check(attr);
    SoftContext context = pd.softContext();
    SoftCompletionQueue sendCq = QpInitChecks.cq(context, "send_cq", attr.sendCq());
    SoftCompletionQueue recvCq = QpInitChecks.cq(context, "recv_cq", attr.recvCq());
    SoftSharedReceiveQueue srq = QpInitChecks.srq(context, attr);
    QpAsyncEvents events = new QpAsyncEvents(context.asyncEvents());
    QpInitAttr init = granted(attr);
    QpRuntime runtime =
        context
            .engine()
            .attach(
                new QpSetup(
                    attr.qpType(),
                    init.cap(),
                    sendCq.ring(),
                    recvCq.ring(),
                    srq == null ? null : srq.receives(recvCq.ring()),
                    pd.domain(),
                    pd.locks(),
                    events));
    SoftQueuePair qp =
        attr.hasSendOps()
            ? new SoftQueuePairEx(pd, init, runtime, events)
            : new SoftQueuePair(pd, init, runtime, events);
    events.of(qp);
    List<Lifetime> uses = new ArrayList<>(List.of(sendCq.lifetime(), recvCq.lifetime()));
    if (srq != null) {
      uses.add(srq.lifetime());
    }
    qp.lifetime().begin(function, uses);
    return qp;
  }

  private static @Nullable Refusal withoutReceives(@Nullable SharedReceiveQueue srq) {
    return srq == null
        ? null
        : Refusal.invalid("this QP takes receives from " + srq + ": post them there");
  }

  private static QpInitAttr granted(QpInitAttr attr) {
    return copy(attr).cap(QpInitChecks.granted(attr));
  }

  private static QpInitAttr copy(QpInitAttr attr) {
    QpInitAttr copy =
        new QpInitAttr(attr.qpType())
            .createFlags(new int[] {attr.createFlags()})
            .sendCq(attr.sendCq())
            .recvCq(attr.recvCq())
            .srq(attr.srq())
            .qpContext(attr.qpContext())
            .cap(attr.cap())
            .sqSigAll(attr.sqSigAll());
    return attr.hasSendOps() ? copy.sendOps(attr.sendOps()) : copy;
  }

  @Override
  public final SoftContext softContext() {
    return pd.softContext();
  }

  @Override
  public final Lifetime lifetime() {
    return lifetime;
  }

  final QpRuntime runtime() {
    return runtime;
  }

  final PostSection section() {
    return section;
  }

  final WindowRules windowRules() {
    return windowRules;
  }

  final SendRules sendRules() {
    return sendRules;
  }

  @Override
  public final Context context() {
    lifetime.require("context");
    return pd.softContext();
  }

  @Override
  public final ProtectionDomain pd() {
    lifetime.require("pd");
    return pd;
  }

  @Override
  public final int qpNum() {
    lifetime.require("qpNum");
    return runtime.qpNum();
  }

  @Override
  public final QpType qpType() {
    lifetime.require("qpType");
    return init.qpType();
  }

  @Override
  public final QpState state() {
    lifetime.require("state");
    return state;
  }

  @Override
  public final @Nullable CompletionQueue sendCq() {
    lifetime.require("sendCq");
    return init.sendCq();
  }

  @Override
  public final @Nullable CompletionQueue recvCq() {
    lifetime.require("recvCq");
    return init.recvCq();
  }

  @Override
  public final @Nullable SharedReceiveQueue srq() {
    lifetime.require("srq");
    return init.srq();
  }

  @Override
  public final @Nullable Object qpContext() {
    lifetime.require("qpContext");
    return init.qpContext();
  }

  @Override
  public final Counters counters() {
    lifetime.require("counters");
    return runtime.tally();
  }

  @Override
  public final void modify(QpAttr attr, int mask) {
    lifetime.require("modifyQp");
    section.requireOutside("modifyQp");
    modifier.modify(attr, mask);
    if ((mask & QpAttrMask.STATE) != 0 && attr.qpState() == QpState.RESET) {
      startPsn = drawPsn(engine);
    }
    state = runtime.status().state();
  }

  @Override
  public final QpAttr query(int... mask) {
    lifetime.require("queryQp");
    QpAttr attr = modifier.query();
    state = attr.qpState();
    return attr;
  }

  @Override
  public final QpInitAttr queryInit() {
    lifetime.require("queryQp");
    return copy(init);
  }

  @Override
  public final void postSend(@Nullable SendWr wr) {
    lifetime.require("postSend");
    sends.post(wr);
  }

  @Override
  public final void postRecv(@Nullable RecvWr wr) {
    lifetime.require("postRecv");
    receives.post(wr);
  }

  @Override
  public QueuePairEx toQpEx() {
    lifetime.require("toQpEx");
    throw new VerbsException(
        "toQpEx",
        Errno.EINVAL,
        lifetime.name() + " was created without send operations: QpInitAttr.sendOps(...)");
  }

  @Override
  public final void bindMw(MemoryWindow mw, MwBind bind) {
    lifetime.require("bindMw");
    binds.post(mw, bind);
  }

  @Override
  public final void attachMcast(Gid gid, int lid) {
    lifetime.require("attachMcast");
    groups.attach(gid);
  }

  @Override
  public final void detachMcast(Gid gid, int lid) {
    lifetime.require("detachMcast");
    groups.detach(gid);
  }

  @Override
  public final QpEndpoint endpoint(int gidIndex) {
    lifetime.require("endpoint");
    SoftPort port = pd.softContext().port();
    Gid gid = port.gid("endpoint", gidIndex);
    if (gid.isZero()) {
      throw new VerbsException(
          "endpoint", Errno.EINVAL, "GID index " + gidIndex + " is empty; index 0 is in use");
    }
    return new QpEndpoint(runtime.qpNum(), startPsn, gid, gidIndex, port.activeMtu());
  }

  @Override
  public final void awaitEvents() throws InterruptedException {
    events.unacknowledged().retireWhenNone();
  }

  @Override
  public final void dropEvents() {
    events.unacknowledged().retire();
  }

  @Override
  public void tearDown() {
    engine.detach(runtime);
    events.purge();
  }

  @Override
  public final void destroy() {
    lifetime.destroy("destroyQp");
  }

  @Override
  public final boolean isClosed() {
    return lifetime.isClosed();
  }

  @Override
  public final void close() {
    lifetime.close("destroyQp");
  }

  @Override
  public final String toString() {
    return lifetime.name();
  }
}
