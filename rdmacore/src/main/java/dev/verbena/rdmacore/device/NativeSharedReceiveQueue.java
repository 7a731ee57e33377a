package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.event.Elements;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvSrqAttr;
import dev.verbena.rdmacore.layout.IbvSrqInitAttr;
import dev.verbena.rdmacore.layout.IbvSrqInitAttrEx;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.rdmacore.post.PostSide;
import dev.verbena.rdmacore.post.RecvSide;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqAttr;
import dev.verbena.verbs.SrqAttrMask;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.SrqType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.XrcDomain;
import dev.verbena.verbs.provider.EventedEnding;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.ObjectEvents;
import java.lang.foreign.Arena;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A shared receive queue of libibverbs. */
final class NativeSharedReceiveQueue extends NativePdObject
    implements SharedReceiveQueue, EventedEnding {
  private static final int MODIFIABLE = SrqAttrMask.MAX_WR | SrqAttrMask.LIMIT;
  private static final String CREATE = "createSrq";

  private static final String NUMBER = "getSrqNum";
  private static final int BASIC_NUMBER = 0;

  /** Bits of enum ibv_srq_init_attr_mask: type, domain, XRC domain and completion queue. */
  private static final int OF_XRC = 0xf;

  private final SrqInitAttr init;
  private final int number;
  private final long address;
  private final Cursors cursors;
  private final RecvSide receives;
  private final ObjectEvents events;

  /**
   * @param init the attributes, which nobody changes
   * @param number the queue's, of type XRC
   */
  private NativeSharedReceiveQueue(
      NativeProtectionDomain pd, SrqInitAttr init, int number, long address) {
    super(
        pd,
        Kind.SRQ,
        number == BASIC_NUMBER ? pd.home().nextNumber() : "0x" + Integer.toHexString(number),
        address,
        Functions.DESTROY_SRQ);
    this.init = init;
    this.number = number;
    this.address = address;
    this.cursors = Cursors.of(init.cq());
    this.receives =
        new RecvSide(
            new PostSide.Target(
                "postRecv",
                lifetime().name(),
                pd.home().operations().basic(IbvContext.OPS_POST_SRQ_RECV),
                address,
                pd.home().regions(),
                init.maxWr(),
                init.maxSge()));
    this.events = new ObjectEvents(pd.home().asyncEvents(), this);
  }

  static NativeSharedReceiveQueue create(NativeProtectionDomain pd, SrqInitAttr attr) {
    pd.lifetime().require(CREATE);
    return switch (attr.srqType()) {
      case BASIC -> createBasic(pd, attr);
      case XRC -> createXrc(pd, attr);
      case TM -> throw pd.home().missing(CREATE, "tag matching");
    };
  }

  private static NativeSharedReceiveQueue createBasic(NativeProtectionDomain pd, SrqInitAttr attr) {
    if (attr.xrcd() != null || attr.cq() != null) {
      throw new VerbsException(
          CREATE, Errno.EINVAL, "type BASIC has neither an XRC domain nor a completion queue");
    }
    try (Handle.Use use = pd.handle().use(CREATE);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvSrqInitAttr.LAYOUT.size(), Long.BYTES).address();
      long sizes = in + IbvSrqInitAttr.ATTR;
      writeSizes(attr, sizes);
      long address =
          Functions.CREATE_SRQ
              .call(CREATE, use.address(), in)
              .locking()
              .pointer(CREATE, () -> attr + " in " + pd + limits(pd.home()));
      SrqInitAttr granted = granted(attr, sizes);
      return make(
          address,
          CREATE,
          Functions.DESTROY_SRQ,
          () -> new NativeSharedReceiveQueue(pd, granted, BASIC_NUMBER, address),
          List.of());
    }
  }

  private static NativeSharedReceiveQueue createXrc(NativeProtectionDomain pd, SrqInitAttr attr) {
    NativeContext context = pd.home();
    if (attr.xrcd() == null || attr.cq() == null) {
      throw new VerbsException(
          CREATE, Errno.EINVAL, "type XRC needs an XRC domain and a completion queue: " + attr);
    }
    NativeXrcDomain xrcd = context.own(CREATE, attr.xrcd(), NativeXrcDomain.class);
    NativeCompletionQueue cq = context.own(CREATE, attr.cq(), NativeCompletionQueue.class);
    try (Handle.Use use = context.handle().use(CREATE);
        Handle.Use domain = pd.handle().use(CREATE);
        Handle.Use shared = xrcd.handle().use(CREATE);
        Handle.Use completions = cq.handle().use(CREATE);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvSrqInitAttrEx.LAYOUT.size(), Long.BYTES).address();
      long sizes = in + IbvSrqInitAttrEx.ATTR;
      writeSizes(attr, sizes);
      Host.setInt(in + IbvSrqInitAttrEx.COMP_MASK, OF_XRC);
      Host.setInt(in + IbvSrqInitAttrEx.SRQ_TYPE, attr.srqType().number());
      Host.setLong(in + IbvSrqInitAttrEx.PD, domain.address());
      Host.setLong(in + IbvSrqInitAttrEx.XRCD, shared.address());
      Host.setLong(in + IbvSrqInitAttrEx.CQ, completions.address());
      long address =
          context
              .operations()
              .extended("create_srq_ex", VerbsContext.CREATE_SRQ_EX)
              .call(CREATE, use.address(), in)
              .locking()
              .pointer(CREATE, () -> attr + " in " + pd + limits(context));
      SrqInitAttr granted = granted(attr, sizes);
      return make(
          address,
          CREATE,
          Functions.DESTROY_SRQ,
          () -> new NativeSharedReceiveQueue(pd, granted, number(context, address), address),
          List.of(xrcd.lifetime(), cq.lifetime()));
    }
  }

  private static String limits(NativeContext context) {
    DeviceAttr device = context.queryDevice();
    return ": the device has max_srq_wr="
        + device.maxSrqWr()
        + ", max_srq_sge="
        + device.maxSrqSge();
  }

  private static int number(NativeContext context, long address) {
    try (Arena arena = Arena.ofConfined()) {
      long out = arena.allocate(Integer.BYTES, Long.BYTES).address();
      context
          .operations()
          .extended("get_srq_num", VerbsContext.GET_SRQ_NUM)
          .call(CREATE, address, out)
          .orThrow(CREATE, "to tell a queue's number");
      return Host.getInt(out);
    }
  }

  private static void writeSizes(SrqInitAttr attr, long out) {
    Host.setInt(out + IbvSrqAttr.MAX_WR, attr.maxWr());
    Host.setInt(out + IbvSrqAttr.MAX_SGE, attr.maxSge());
  }

  /** A copy with the sizes that the library has written. */
  private static SrqInitAttr granted(SrqInitAttr attr, long in) {
    return new SrqInitAttr()
        .srqType(attr.srqType())
        .srqContext(attr.srqContext())
        .attr(
            new SrqAttr(
                Host.getInt(in + IbvSrqAttr.MAX_WR), Host.getInt(in + IbvSrqAttr.MAX_SGE), 0))
        .xrcd(attr.xrcd())
        .cq(attr.cq());
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
  public SrqType srqType() {
    lifetime().require("srqType");
    return init.srqType();
  }

  @Override
  public @Nullable XrcDomain xrcd() {
    lifetime().require("xrcd");
    return init.xrcd();
  }

  @Override
  public @Nullable CompletionQueue cq() {
    lifetime().require("cq");
    return init.cq();
  }

  @Override
  public void postRecv(@Nullable RecvWr wr) {
    receives.post(wr, lifetime());
  }

  @Override
  public @Nullable Object srqContext() {
    lifetime().require("srqContext");
    return init.srqContext();
  }

  @Override
  public int srqNum() {
    lifetime().require(NUMBER);
    if (number == BASIC_NUMBER) {
      throw new VerbsException(
          NUMBER, Errno.EOPNOTSUPP, "a queue of type BASIC has no number, one of type XRC has");
    }
    return number;
  }

  @Override
  public SrqAttr query() {
    String verb = "querySrq";
    try (Handle.Use use = handle().use(verb);
        Arena arena = Arena.ofConfined()) {
      long out = arena.allocate(IbvSrqAttr.LAYOUT.size(), Long.BYTES).address();
      Functions.QUERY_SRQ.call(verb, use.address(), out).orThrow(verb, "to describe " + this);
      return new SrqAttr(
          Host.getInt(out + IbvSrqAttr.MAX_WR),
          Host.getInt(out + IbvSrqAttr.MAX_SGE),
          Host.getInt(out + IbvSrqAttr.SRQ_LIMIT));
    }
  }

  @Override
  public void modify(SrqAttr attr, int... mask) {
    String verb = "modifySrq";
    lifetime().require(verb);
    int which = Access.of(mask);
    if (which == 0 || (which & ~MODIFIABLE) != 0) {
      throw new VerbsException(
          verb,
          Errno.EINVAL,
          this + ": the mask 0x" + Integer.toHexString(which) + " is not of MAX_WR, LIMIT or both");
    }
    try (Handle.Use use = handle().use(verb);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvSrqAttr.LAYOUT.size(), Long.BYTES).address();
      Host.setInt(in + IbvSrqAttr.MAX_WR, attr.maxWr());
      Host.setInt(in + IbvSrqAttr.SRQ_LIMIT, attr.srqLimit());
      Functions.MODIFY_SRQ
          .call(verb, use.address(), in, which)
          .locking()
          .orThrow(
              verb,
              () ->
                  attr
                      + " with the mask 0x"
                      + Integer.toHexString(which)
                      + " for "
                      + this
                      + ", which has "
                      + query());
    }
  }

  @Override
  public void destroy() {
    cursors.requireClosed("destroySrq");
    lifetime().destroy();
  }

  @Override
  public Runnable release() {
    Elements elements = home().elements();
    long struct = address;
    return handle().endingAfter(cursors.ending(), () -> elements.remove(struct), receives::end);
  }
}
