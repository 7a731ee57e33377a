package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.event.Elements;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvWq;
import dev.verbena.rdmacore.layout.IbvWqAttr;
import dev.verbena.rdmacore.layout.IbvWqInitAttr;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.rdmacore.post.PostSide;
import dev.verbena.rdmacore.post.RecvSide;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.WorkQueue;
import dev.verbena.verbs.WqInitAttr;
import dev.verbena.verbs.WqState;
import dev.verbena.verbs.provider.EventedEnding;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.ObjectEvents;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A work queue of libibverbs. */
final class NativeWorkQueue extends NativePdObject implements WorkQueue, EventedEnding {
  private static final String CREATE = "createWq";

  /** IBV_WQ_ATTR_STATE. */
  private static final int STATE = 1;

  /** IBV_WQ_INIT_ATTR_FLAGS. */
  private static final int WITH_CREATE_FLAGS = 1;

  private static final FunctionNative INIT_MUTEX = FunctionNative.ofLibc("pthread_mutex_init");
  private static final FunctionNative INIT_COND = FunctionNative.ofLibc("pthread_cond_init");

  private final CompletionQueue cq;
  private final int maxWr;
  private final int maxSge;
  private final @Nullable Object wqContext;
  private final long address;
  private final int number;
  private final Cursors cursors;
  private final RecvSide receives;
  private final ObjectEvents events;
  private volatile WqState state = WqState.RESET;

  private NativeWorkQueue(
      NativeProtectionDomain pd,
      WqInitAttr attr,
      int maxWr,
      int maxSge,
      long address,
      FunctionNative destroy) {
    super(
        pd,
        Kind.WQ,
        "0x" + Integer.toHexString(Host.getInt(address + IbvWq.WQ_NUM)),
        address,
        destroy);
    this.cq = attr.cq();
    this.maxWr = maxWr;
    this.maxSge = maxSge;
    this.wqContext = attr.wqContext();
    this.address = address;
    this.number = Host.getInt(address + IbvWq.WQ_NUM);
    this.cursors = Cursors.of(attr.cq());
    this.receives =
        new RecvSide(
            new PostSide.Target(
                "postWqRecv",
                lifetime().name(),
                MemorySegment.ofAddress(Host.getLong(address + IbvWq.POST_RECV)),
                address,
                pd.home().regions(),
                maxWr,
                maxSge));
    this.events = new ObjectEvents(pd.home().asyncEvents(), this);
  }

  static NativeWorkQueue create(NativeContext context, WqInitAttr attr) {
    context.lifetime().require(CREATE);
    NativeProtectionDomain pd = context.own(CREATE, attr.pd(), NativeProtectionDomain.class);
    NativeCompletionQueue cq = context.own(CREATE, attr.cq(), NativeCompletionQueue.class);
    FunctionNative create = context.operations().extended("create_wq", VerbsContext.CREATE_WQ);
    FunctionNative destroy = context.operations().extended("destroy_wq", VerbsContext.DESTROY_WQ);
    try (Handle.Use use = context.handle().use(CREATE);
        Handle.Use domain = pd.handle().use(CREATE);
        Handle.Use completions = cq.handle().use(CREATE);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvWqInitAttr.LAYOUT.size(), Long.BYTES).address();
      Host.setInt(in + IbvWqInitAttr.MAX_WR, attr.maxWr());
      Host.setInt(in + IbvWqInitAttr.MAX_SGE, attr.maxSge());
      Host.setLong(in + IbvWqInitAttr.PD, domain.address());
      Host.setLong(in + IbvWqInitAttr.CQ, completions.address());
      if (attr.createFlags() != 0) {
        Host.setInt(in + IbvWqInitAttr.COMP_MASK, WITH_CREATE_FLAGS);
        Host.setInt(in + IbvWqInitAttr.CREATE_FLAGS, attr.createFlags());
      }
      long struct =
          create
              .call(CREATE, use.address(), in)
              .locking()
              .pointer(CREATE, attr + " in the " + context);
      // The inline function does the same.
      INIT_MUTEX.call(CREATE, struct + IbvWq.MUTEX, 0).orThrow(CREATE, "to make a mutex");
      INIT_COND.call(CREATE, struct + IbvWq.COND, 0).orThrow(CREATE, "to make a condition");
      int maxWr = Host.getInt(in + IbvWqInitAttr.MAX_WR);
      int maxSge = Host.getInt(in + IbvWqInitAttr.MAX_SGE);
      return make(
          struct,
          CREATE,
          destroy,
          () -> new NativeWorkQueue(pd, attr, maxWr, maxSge, struct, destroy),
          List.of(cq.lifetime()));
    }
  }

  @Override
  void enlist() {
    home().elements().add(address, events);
  }

  @Override
  public ObjectEvents events() {
    return events;
  }

  @Override
  public CompletionQueue cq() {
    lifetime().require("cq");
    return cq;
  }

  @Override
  public int wqNum() {
    lifetime().require("wqNum");
    return number;
  }

  @Override
  public int maxWr() {
    lifetime().require("maxWr");
    return maxWr;
  }

  @Override
  public int maxSge() {
    lifetime().require("maxSge");
    return maxSge;
  }

  @Override
  public WqState state() {
    lifetime().require("state");
    return state;
  }

  @Override
  public @Nullable Object wqContext() {
    lifetime().require("wqContext");
    return wqContext;
  }

  @Override
  public void modify(WqState to) {
    String verb = "modifyWq";
    if (to == WqState.RESET) {
      cursors.requireClosed(verb);
    }
    try (Handle.Use use = handle().use(verb);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvWqAttr.LAYOUT.size(), Long.BYTES).address();
      Host.setInt(in + IbvWqAttr.ATTR_MASK, STATE);
      Host.setInt(in + IbvWqAttr.WQ_STATE, to.number());
      home()
          .operations()
          .extended("modify_wq", VerbsContext.MODIFY_WQ)
          .call(verb, use.address(), in)
          .orThrow(verb, this + " to go from " + state + " to " + to);
      state = to;
    }
  }

  @Override
  public void postRecv(@Nullable RecvWr wr) {
    receives.post(wr, lifetime());
  }

  @Override
  public void destroy() {
    cursors.requireClosed("destroyWq");
    lifetime().destroy();
  }

  @Override
  public Runnable release() {
    Elements elements = home().elements();
    long struct = address;
    return handle().endingAfter(cursors.ending(), () -> elements.remove(struct), receives::end);
  }
}
