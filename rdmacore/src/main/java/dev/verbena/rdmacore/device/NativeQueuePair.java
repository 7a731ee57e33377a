package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Answer;
import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.event.Elements;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.host.QpAttrs;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvEce;
import dev.verbena.rdmacore.layout.IbvMwBind;
import dev.verbena.rdmacore.layout.IbvQp;
import dev.verbena.rdmacore.layout.IbvQpAttr;
import dev.verbena.rdmacore.layout.IbvQpInitAttr;
import dev.verbena.rdmacore.post.NativeBindable;
import dev.verbena.rdmacore.post.NoExclusion;
import dev.verbena.rdmacore.post.PostSide;
import dev.verbena.rdmacore.post.RecvSide;
import dev.verbena.rdmacore.post.SendSide;
import dev.verbena.rdmacore.post.SendSides;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.DataInOrder;
import dev.verbena.verbs.Ece;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Flow;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBind;
import dev.verbena.verbs.PortAttr;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.provider.BindRules;
import dev.verbena.verbs.provider.CallSection;
import dev.verbena.verbs.provider.CreatedQueuePair;
import dev.verbena.verbs.provider.Exclusion;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.ObjectEvents;
import dev.verbena.verbs.provider.QpInitRules;
import java.lang.foreign.Arena;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A queue pair of libibverbs. */
sealed class NativeQueuePair extends NativeObject implements CreatedQueuePair
    permits BatchingQueuePair {
  private static final SecureRandom RANDOM = new SecureRandom();

  /** What the kernel lets ask for; it refuses the numbers of later attributes. */
  private static final int ASKABLE = (QpAttrMask.DEST_QPN << 1) - 1;

  private final @Nullable NativeProtectionDomain pd;
  private final QpInitAttr init;
  private final long address;
  private final int qpNum;
  private final Exclusion exclusion;
  private final CallSection section;
  private final boolean locks;
  private final Cursors cursors;
  private final SendSide sends;
  private final RecvSide receives;
  private final Groups groups;
  private final ObjectEvents events;

  /** In an object of its own, because what outlives a lost queue pair asks for it. */
  private final AtomicReference<QpState> state;

  private volatile int startPsn = newPsn();

  /**
   * @param pd its domain; null for XRC_RECV
   * @param granted its attributes, which nobody changes
   */
  NativeQueuePair(
      NativeContext context,
      @Nullable NativeProtectionDomain pd,
      QpInitAttr granted,
      long address) {
    super(
        context,
        pd == null ? context.lifetime() : pd.lifetime(),
        Kind.QP,
        "0x" + Integer.toHexString(number(address)),
        address,
        Functions.DESTROY_QP);
    this.pd = pd;
    this.init = granted;
    this.address = address;
    this.qpNum = number(address);
    AtomicReference<QpState> current =
        new AtomicReference<>(QpState.of(Host.getInt(address + IbvQp.STATE)));
    Supplier<String> condition = () -> ", in " + current.get();
    this.state = current;
    this.locks = pd == null || pd.locks();
    this.cursors = Cursors.of(granted.sendCq(), granted.recvCq());
    this.sends =
        new SendSide(
            new PostSide.Target(
                "postSend",
                lifetime().name(),
                context.operations().basic(IbvContext.OPS_POST_SEND),
                address,
                context.regions(),
                "max_send_",
                granted.maxSendWr(),
                condition,
                granted.maxSendSge(),
                granted.maxInlineData(),
                granted.maxTsoHeader()),
            pd == null ? null : pd.root().handle(),
            pd == null ? () -> 0 : pd.root().spare()::struct,
            context.handle(),
            granted.qpType());
    this.exclusion = locks ? sends.batches() : NoExclusion.INSTANCE;
    this.section = CallSection.posting(exclusion, lifetime());
    this.receives =
        new RecvSide(
            new PostSide.Target(
                "postRecv",
                lifetime().name(),
                context.operations().basic(IbvContext.OPS_POST_RECV),
                address,
                context.regions(),
                "max_recv_",
                granted.maxRecvWr(),
                condition,
                granted.maxRecvSge(),
                0,
                0),
            QpInitRules.withoutReceives(granted));
    this.groups = new Groups(lifetime(), handle());
    this.events = new ObjectEvents(context.asyncEvents(), this);
  }

  private static int number(long address) {
    return Host.getInt(address + IbvQp.QP_NUM);
  }

  @Override
  final void enlist() {
    home().elements().add(address, events);
    home().sendSides().add(sends);
  }

  /** Its number, also if it is closed. */
  final int number() {
    return qpNum;
  }

  /** The domain that it was made of. */
  @Override
  public final @Nullable ProtectionDomain pd() {
    lifetime().require("pd");
    return pd;
  }

  @Override
  public final QpInitAttr init() {
    return init;
  }

  @Override
  public final ObjectEvents events() {
    return events;
  }

  @Override
  public final int qpNum() {
    lifetime().require("qpNum");
    return qpNum;
  }

  @Override
  public final QpState state() {
    lifetime().require("state");
    return state.get();
  }

  @Override
  public final void modify(QpAttr attr, int mask) {
    String verb = "modifyQp";
    section.requireClosed(verb);
    if ((mask & QpAttrMask.STATE) != 0 && attr.qpState() == QpState.RESET) {
      cursors.requireClosed(verb);
    }
    String unfit = QpAttrs.unfit(attr, mask);
    if (unfit != null) {
      throw new VerbsException(verb, Errno.EINVAL, this + ": " + unfit);
    }
    try (Handle.Use use = handle().use(verb);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvQpAttr.LAYOUT.size(), Long.BYTES).address();
      QpAttrs.write(attr, in);
      Functions.MODIFY_QP
          .call(verb, use.address(), in, mask)
          .orThrow(
              verb,
              attr
                  + " with the mask 0x"
                  + Integer.toHexString(mask)
                  + " for "
                  + this
                  + " in "
                  + state.get());
      if ((mask & QpAttrMask.STATE) != 0) {
        state.set(attr.qpState());
        if (attr.qpState() == QpState.RESET) {
          startPsn = newPsn();
        }
      }
    }
  }

  @Override
  public final QpAttr query(int... mask) {
    String verb = "queryQp";
    try (Handle.Use use = handle().use(verb);
        Arena arena = Arena.ofConfined()) {
      long out = arena.allocate(IbvQpAttr.LAYOUT.size(), Long.BYTES).address();
      long initOut = arena.allocate(IbvQpInitAttr.LAYOUT.size(), Long.BYTES).address();
      // What state() answers is brought up to date as well.
      int wanted = mask.length == 0 ? ASKABLE : Access.of(mask) & ASKABLE;
      int asked = wanted | QpAttrMask.STATE;
      Functions.QUERY_QP
          .call(verb, use.address(), out, asked, initOut)
          .orThrow(verb, "to tell the attributes 0x" + Integer.toHexString(asked) + " of " + this);
      QpAttr attr = QpAttrs.readAll(out);
      state.set(attr.qpState());
      return attr;
    }
  }

  /** Which a batch opens. */
  final CallSection section() {
    return section;
  }

  /**
   * Refuses a call while another thread has a batch open, if the program has promised that threads
   * come one after the other: a driver may end the process then.
   */
  final void requireNoBatch(String verb) {
    if (!locks) {
      section.requireFree(verb);
    }
  }

  /** The side that posts. */
  final SendSide sends() {
    return sends;
  }

  @Override
  public final void postSend(@Nullable SendWr wr) {
    String verb = "postSend";
    lifetime().require(verb);
    requireNoBatch(verb);
    section.requireClosed(verb);
    sends.post(wr, lifetime());
  }

  @Override
  public final void postRecv(@Nullable RecvWr wr) {
    receives.post(wr, lifetime());
  }

  @Override
  public final void bindMw(MemoryWindow mw, MwBind bind) {
    String verb = "bindMw";
    NativeMemoryWindow window = home().own(verb, mw, NativeMemoryWindow.class);
    BindRules.type1(window, bind.bindInfo(), init.qpType());
    MemoryRegion mr = bind.bindInfo().mr();
    NativePdObject region = mr == null ? null : ownRegion(verb, mr);
    requireNoBatch(verb);
    section.enter(verb);
    window.binding().lock();
    try (Handle.Use use = handle().use(verb);
        Handle.Use windowUse = window.handle().use(verb);
        Handle.@Nullable Use regionUse = region == null ? null : region.handle().use(verb);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvMwBind.LAYOUT.size(), Long.BYTES).address();
      Host.setLong(in + IbvMwBind.WR_ID, bind.wrId());
      Host.setInt(in + IbvMwBind.SEND_FLAGS, bind.sendFlags());
      long struct = regionUse == null ? sends.spare() : regionUse.address();
      String refusal = sends.refuseRegion(struct);
      if (refusal != null) {
        throw new VerbsException(verb, Errno.EINVAL, refusal);
      }
      long start = regionUse == null ? SendSide.start(struct) : bind.bindInfo().addr();
      Host.setLong(in + IbvMwBind.BIND_INFO_MR, struct);
      Host.setLong(in + IbvMwBind.BIND_INFO_ADDR, start);
      Host.setLong(in + IbvMwBind.BIND_INFO_LENGTH, bind.bindInfo().length());
      Host.setInt(in + IbvMwBind.BIND_INFO_MW_ACCESS_FLAGS, bind.bindInfo().mwAccessFlags());
      Answer answer = bind(verb, use.address(), windowUse.address(), in);
      if (answer.status() != 0) {
        throw new WorkRequestException(
            verb, answer.status(), lifetime().name(), "the driver refuses " + bind, bind, 0);
      }
    } finally {
      window.binding().unlock();
      section.exit();
    }
  }

  /** The driver posts the request itself, so no other thread may post meanwhile. */
  private Answer bind(String verb, long qp, long window, long in) {
    FunctionNative function = home().operations().basic("bind_mw", IbvContext.OPS_BIND_MW);
    sends.enter(verb);
    try {
      return function.call(verb, qp, window, in);
    } finally {
      sends.exit();
    }
  }

  /** The region that a window is to be bound to. */
  private NativePdObject ownRegion(String verb, MemoryRegion mr) {
    NativePdObject region = home().own(verb, mr, NativePdObject.class);
    if (region instanceof NativeBindable bindable && bindable.isOf(home().handle())) {
      return region;
    }
    throw new VerbsException(verb, Errno.EINVAL, mr + " is a null region, which takes no window");
  }

  @Override
  public final void attachMcast(Gid gid, int lid) {
    groups.attach(gid, lid);
  }

  @Override
  public final void detachMcast(Gid gid, int lid) {
    groups.detach(gid, lid);
  }

  @Override
  public final Flow createFlow(FlowAttr attr) {
    return NativeFlow.create(this, attr);
  }

  @Override
  public final QpEndpoint endpoint(int portNum, int gidIndex) {
    String verb = "endpoint";
    lifetime().require(verb);
    Gid gid = home().queryGid(portNum, gidIndex);
    PortAttr port = home().queryPort(portNum);
    if (gid.isZero()) {
      throw new VerbsException(
          verb,
          Errno.EINVAL,
          "GID index " + gidIndex + " of port " + portNum + " of the " + home() + " is empty");
    }
    return new QpEndpoint(qpNum, startPsn, gid, gidIndex, port.activeMtu(), port.lid());
  }

  @Override
  public final Counters counters() {
    throw home().missing("counters", "counters of one queue pair");
  }

  @Override
  public final Ece queryEce() {
    String verb = "queryEce";
    try (Handle.Use use = handle().use(verb);
        Arena arena = Arena.ofConfined()) {
      long out = arena.allocate(IbvEce.LAYOUT.size(), Long.BYTES).address();
      Functions.QUERY_ECE
          .call(verb, use.address(), out)
          .orThrow(verb, "to tell the options of " + this);
      return new Ece(Host.getInt(out + IbvEce.VENDOR_ID), Host.getInt(out + IbvEce.OPTIONS));
    }
  }

  @Override
  public final void setEce(Ece ece) {
    String verb = "setEce";
    try (Handle.Use use = handle().use(verb);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvEce.LAYOUT.size(), Long.BYTES).address();
      Host.setInt(in + IbvEce.VENDOR_ID, ece.vendorId());
      Host.setInt(in + IbvEce.OPTIONS, ece.options());
      Functions.SET_ECE.call(verb, use.address(), in).orThrow(verb, ece + " for " + this);
    }
  }

  @Override
  public final int queryDataInOrder(WrOpcode opcode, int flags) {
    String verb = "queryDataInOrder";
    try (Handle.Use use = handle().use(verb)) {
      return dataInOrder(
          Functions.QUERY_QP_DATA_IN_ORDER, verb, use.address(), opcode.number(), flags);
    }
  }

  /**
   * What the library says of the order of data. One that lacks the function promises nothing. A
   * driver of a release before the flags may leave out the bit that WHOLE_MSG implies, or tell it
   * unasked.
   */
  static int dataInOrder(FunctionNative function, String verb, long qp, int opcode, int flags) {
    if (!function.exists()) {
      return 0;
    }
    int caps = (int) function.call(verb, qp, opcode, Integer.toUnsignedLong(flags)).value();
    int whole = caps & DataInOrder.WHOLE_MSG;
    if ((flags & DataInOrder.RETURN_CAPS) == 0) {
      return whole;
    }
    return whole == 0 ? caps : caps | DataInOrder.ALIGNED_128_BYTES;
  }

  @Override
  public final void destroy() {
    cursors.requireClosed("destroyQp");
    CreatedQueuePair.super.destroy();
  }

  private static int newPsn() {
    return RANDOM.nextInt(1 << Iba.PSN_BITS);
  }

  @Override
  public final Runnable release() {
    Elements elements = home().elements();
    SendSides senders = home().sendSides();
    SendSide sender = sends;
    long struct = address;
    return handle()
        .endingAfter(
            cursors.ending(),
            // Until no thread posts, it is among those that others wait for.
            sender::end,
            () -> senders.remove(sender),
            () -> elements.remove(struct),
            receives::end,
            // Threads that wait to post are told so, even if a thread has abandoned its batch.
            exclusion::open);
  }
}
