package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.event.Elements;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvSrqAttr;
import dev.verbena.rdmacore.layout.IbvSrqInitAttr;
import dev.verbena.rdmacore.post.PostSide;
import dev.verbena.rdmacore.post.RecvSide;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqAttr;
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
  private static final String CREATE = "createSrq";

  private final @Nullable Object srqContext;
  private final long address;
  private final RecvSide receives;
  private final ObjectEvents events;

  private NativeSharedReceiveQueue(
      NativeProtectionDomain pd, SrqInitAttr attr, int maxWr, int maxSge, long address) {
    super(pd, Kind.SRQ, pd.home().nextNumber(), address, Functions.DESTROY_SRQ);
    this.srqContext = attr.srqContext();
    this.address = address;
    this.receives =
        new RecvSide(
            new PostSide.Target(
                "postRecv",
                lifetime().name(),
                pd.home().operations().basic(IbvContext.OPS_POST_SRQ_RECV),
                address,
                "max_wr=" + maxWr,
                maxSge,
                0));
    this.events = new ObjectEvents(pd.home().asyncEvents(), this);
  }

  static NativeSharedReceiveQueue create(NativeProtectionDomain pd, SrqInitAttr attr) {
    pd.lifetime().require(CREATE);
    if (attr.srqType() != SrqType.BASIC) {
      throw pd.home().missing(CREATE, "shared receive queues of type " + attr.srqType());
    }
    if (attr.xrcd() != null || attr.cq() != null) {
      throw new VerbsException(
          CREATE, Errno.EINVAL, "type BASIC has neither an XRC domain nor a completion queue");
    }
    try (Handle.Use use = pd.handle().use(CREATE);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvSrqInitAttr.LAYOUT.size(), Long.BYTES).address();
      long sizes = in + IbvSrqInitAttr.ATTR;
      Host.setInt(sizes + IbvSrqAttr.MAX_WR, attr.maxWr());
      Host.setInt(sizes + IbvSrqAttr.MAX_SGE, attr.maxSge());
      long address =
          Functions.CREATE_SRQ.call(CREATE, use.address(), in).pointer(CREATE, attr + " in " + pd);
      int maxWr = Host.getInt(sizes + IbvSrqAttr.MAX_WR);
      int maxSge = Host.getInt(sizes + IbvSrqAttr.MAX_SGE);
      return make(
          address,
          CREATE,
          Functions.DESTROY_SRQ,
          () -> new NativeSharedReceiveQueue(pd, attr, maxWr, maxSge, address),
          List.of());
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
  public SrqType srqType() {
    lifetime().require("srqType");
    return SrqType.BASIC;
  }

  @Override
  public @Nullable XrcDomain xrcd() {
    lifetime().require("xrcd");
    return null;
  }

  @Override
  public @Nullable CompletionQueue cq() {
    lifetime().require("cq");
    return null;
  }

  @Override
  public void postRecv(@Nullable RecvWr wr) {
    receives.post(wr);
  }

  @Override
  public @Nullable Object srqContext() {
    lifetime().require("srqContext");
    return srqContext;
  }

  @Override
  public int srqNum() {
    lifetime().require("getSrqNum");
    throw new VerbsException(
        "getSrqNum", Errno.EOPNOTSUPP, "a queue of type BASIC has no number, one of type XRC has");
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
    try (Handle.Use use = handle().use(verb);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvSrqAttr.LAYOUT.size(), Long.BYTES).address();
      Host.setInt(in + IbvSrqAttr.MAX_WR, attr.maxWr());
      Host.setInt(in + IbvSrqAttr.SRQ_LIMIT, attr.srqLimit());
      Functions.MODIFY_SRQ
          .call(verb, use.address(), in, Access.of(mask))
          .orThrow(
              verb,
              attr + " with the mask 0x" + Integer.toHexString(Access.of(mask)) + " for " + this);
    }
  }

  @Override
  public void destroy() {
    lifetime().destroy();
  }

  @Override
  public Runnable release() {
    Elements elements = home().elements();
    long struct = address;
    return handle().endingAfter(() -> elements.remove(struct), receives::end);
  }
}
