package dev.verbena.soft.device.qp;

import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.device.object.OpenDomain;
import dev.verbena.soft.device.object.SoftObject;
import dev.verbena.soft.device.open.SoftPort;
import dev.verbena.soft.device.post.RecvPoster;
import dev.verbena.soft.device.post.SendPoster;
import dev.verbena.soft.device.post.SendRules;
import dev.verbena.soft.device.post.WindowPoster;
import dev.verbena.soft.device.post.WindowRules;
import dev.verbena.soft.device.raw.SoftFlow;
import dev.verbena.soft.device.raw.SoftRwqIndTable;
import dev.verbena.soft.engine.ether.FrameTarget;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Flow;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBind;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.RxHashConf;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.CallSection;
import dev.verbena.verbs.provider.CreatedQueuePair;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.ObjectEvents;
import dev.verbena.verbs.provider.QpInitRules;
import dev.verbena.verbs.provider.Unsupported;
import org.jspecify.annotations.Nullable;

/** A queue pair of the software device, without the extended posting API. */
public sealed class SoftQueuePair extends SoftObject implements CreatedQueuePair
    permits SoftQueuePairEx {
  private final OpenContext context;
  private final @Nullable OpenDomain pd;
  private final QpInitAttr init;
  private final QpInstance instance;
  private final QpRuntime runtime;
  private final ObjectEvents events;
  private final boolean attached;
  private final Lifetime lifetime;
  private final CallSection section;
  private final SendRules sendRules;
  private final WindowRules windowRules;
  private final SendPoster sends;
  private final WindowPoster binds;
  private final RecvPoster receives;
  private final McastGroups groups;
  private volatile QpState state;

  /**
   * @param pd its protection domain; null for XRC_RECV
   * @param init its attributes; kept
   * @param instance the queue pair behind this handle
   */
  SoftQueuePair(
      OpenContext context, @Nullable OpenDomain pd, QpInitAttr init, QpInstance instance) {
    this.context = context;
    this.pd = pd;
    this.init = init;
    this.instance = instance;
    this.runtime = instance.runtime();
    this.state = runtime.status().state;
    Lifetime owner = pd == null ? context.lifetime() : pd.lifetime();
    this.lifetime = owner.child(Kind.QP, instance.number(), this);
    this.section = CallSection.posting(runtime.postGuard(), lifetime);
    this.sendRules =
        new SendRules(
            init,
            context.engine().keys(),
            runtime.setup().domain(),
            context.port().activeMtu().bytes(),
            context.ether().maxFrame());
    this.windowRules = new WindowRules(context, init.qpType());
    this.sends = new SendPoster(runtime, section, sendRules, windowRules);
    this.binds = new WindowPoster(runtime, section, sendRules, windowRules);
    this.receives =
        new RecvPoster(runtime, section, init.maxRecvSge(), QpInitRules.withoutReceives(init));
    this.groups =
        new McastGroups(lifetime, init, runtime, context.engine().multicast(), context.port());
    this.events = new ObjectEvents(context.asyncEvents(), this);
    this.attached = instance.add(events);
  }

  /** Whether this is a valid handle; false if the queue pair ended while it was made. */
  final boolean isAttached() {
    return attached;
  }

  @Override
  public final OpenContext openContext() {
    return context;
  }

  @Override
  public final Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public final QpInitAttr init() {
    return init;
  }

  @Override
  public final ObjectEvents events() {
    return events;
  }

  public final QpRuntime runtime() {
    return runtime;
  }

  /** The receiver of frames that are steered here. */
  private FrameTarget frameTarget() {
    RxHashConf hash = init.rxHashConf();
    QpRuntime receiver = runtime;
    return hash != null && init.rwqIndTbl() instanceof SoftRwqIndTable table
        ? table.hashedBy(hash)
        : frame -> receiver;
  }

  final CallSection section() {
    return section;
  }

  final WindowRules windowRules() {
    return windowRules;
  }

  final SendRules sendRules() {
    return sendRules;
  }

  @Override
  public final @Nullable ProtectionDomain pd() {
    lifetime.require("pd");
    return pd;
  }

  @Override
  public final int qpNum() {
    lifetime.require("qpNum");
    return runtime.qpNum();
  }

  @Override
  public final QpState state() {
    lifetime.require("state");
    return state;
  }

  @Override
  public final Counters counters() {
    lifetime.require("counters");
    return runtime.tally;
  }

  @Override
  public final void modify(QpAttr attr, int mask) {
    lifetime.require("modifyQp");
    section.requireClosed("modifyQp");
    if (QpInitRules.hashes(init)) {
      throw Unsupported.verb(
          "modifyQp", "a queue pair that hashes has no state of its own: its work queues have");
    }
    instance.modify(attr, mask, lifetime);
    state = runtime.status().state;
  }

  @Override
  public final QpAttr query(int... mask) {
    lifetime.require("queryQp");
    QpAttr attr = instance.query();
    state = attr.qpState();
    return attr;
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
  public final void bindMw(MemoryWindow mw, MwBind bind) {
    lifetime.require("bindMw");
    binds.post(mw, bind);
  }

  @Override
  public final void attachMcast(Gid gid, int lid) {
    lifetime.require("attachMcast");
    groups.attach(gid, lid);
  }

  @Override
  public final void detachMcast(Gid gid, int lid) {
    lifetime.require("detachMcast");
    groups.detach(gid, lid);
  }

  @Override
  public final Flow createFlow(FlowAttr attr) {
    lifetime.require("createFlow");
    return SoftFlow.create(this, frameTarget(), attr);
  }

  @Override
  public final QpEndpoint endpoint(int portNum, int gidIndex) {
    lifetime.require("endpoint");
    SoftPort.checkNumber("endpoint", portNum);
    SoftPort port = context.port();
    Gid gid = port.gid("endpoint", gidIndex);
    if (gid.isZero()) {
      throw new VerbsException(
          "endpoint", Errno.EINVAL, "GID index " + gidIndex + " is empty; index 0 is in use");
    }
    return new QpEndpoint(
        runtime.qpNum(), instance.startPsn(), gid, gidIndex, port.activeMtu(), port.lid());
  }

  @Override
  public final String dump() {
    if (lifetime.isClosed()) {
      return lifetime.name() + " is closed\n";
    }
    String holder = section.holder();
    return runtime.dump() + (holder.isEmpty() ? "" : "  batch:     " + holder + "\n");
  }

  @Override
  public final String toString() {
    return lifetime.isClosed()
        ? lifetime.name() + " " + init.qpType() + " closed"
        : runtime.toString();
  }

  @Override
  public final Runnable release() {
    XrcShare share = init.xrcd() instanceof SoftXrcDomain xrcd ? xrcd.share() : null;
    return ending(instance, events, share);
  }

  private static Runnable ending(
      QpInstance instance, ObjectEvents handle, @Nullable XrcShare share) {
    return () -> {
      if (instance.remove(handle)) {
        // Threads waiting to post must wake up, even if another abandoned its batch. All handles
        // share one guard. Only XRC_RECV can have several handles, and it cannot post.
        instance.runtime().postGuard().open();
        if (share != null) {
          share.remove(instance);
        }
      }
    };
  }
}
