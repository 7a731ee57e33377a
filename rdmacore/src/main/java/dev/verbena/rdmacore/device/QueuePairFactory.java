package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.FieldBits;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.host.Structs;
import dev.verbena.rdmacore.layout.IbvQpInitAttrEx;
import dev.verbena.rdmacore.layout.IbvQpOpenAttr;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpOpenAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RxHashConf;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.QpInitRules;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes queue pairs of libibverbs, and further handles of XRC_RECV queue pairs. */
final class QueuePairFactory {
  private static final String CREATE = "createQp";
  private static final String CREATE_EX = "createQpEx";
  private static final String OPEN = "openQp";

  /** Bits of enum ibv_qp_init_attr_mask. */
  private static final int WITH_PD = 1;

  private static final int WITH_XRCD = 1 << 1;
  private static final int WITH_CREATE_FLAGS = 1 << 2;
  private static final int WITH_TSO_HEADER = 1 << 3;
  private static final int WITH_TABLE = 1 << 4;
  private static final int WITH_HASH = 1 << 5;
  private static final int WITH_SEND_OPS = 1 << 6;

  /** Bits of enum ibv_qp_open_attr_mask: number, XRC domain and type. */
  private static final int NAMED = 0b1011;

  /** A queue pair of a protection domain: every type but XRC_RECV. */
  static NativeQueuePair create(NativeProtectionDomain pd, QpInitAttr attr) {
    NativeContext context = pd.home();
    pd.lifetime().require(CREATE);
    QpInitRules.ofProtectionDomain(CREATE, attr);
    FieldBits.requireFit(CREATE, "max_tso_header", attr.maxTsoHeader(), Short.SIZE);
    if (QpInitRules.hashes(attr)) {
      return createHashing(pd, attr);
    }
    List<Lifetime> uses = new ArrayList<>();
    NativeCompletionQueue sendCq = cq(context, "send_cq", attr.sendCq(), uses);
    boolean receives = attr.qpType() != QpType.XRC_SEND;
    NativeCompletionQueue recvCq = receives ? cq(context, "recv_cq", attr.recvCq(), uses) : null;
    NativeSharedReceiveQueue srq =
        receives
            ? context.ownIfGiven(CREATE, attr.srq(), NativeSharedReceiveQueue.class, uses)
            : null;
    try (Handle.Use use = pd.handle().use(CREATE);
        Handle.@Nullable Use sent = use(sendCq);
        Handle.@Nullable Use received = use(recvCq);
        Handle.@Nullable Use shared = use(srq);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvQpInitAttrEx.LAYOUT.size(), Long.BYTES).address();
      Host.setLong(in + IbvQpInitAttrEx.SEND_CQ, address(sent));
      Host.setLong(in + IbvQpInitAttrEx.RECV_CQ, address(received));
      Host.setLong(in + IbvQpInitAttrEx.SRQ, address(shared));
      Host.setInt(in + IbvQpInitAttrEx.QP_TYPE, attr.qpType().number());
      Host.setInt(in + IbvQpInitAttrEx.SQ_SIG_ALL, attr.sqSigAll() ? 1 : 0);
      Structs.setCap(in + IbvQpInitAttrEx.CAP, attr.cap());
      long address = create(context, use.address(), attr, in);
      QpInitAttr granted =
          QpInitRules.granted(attr.copy().cap(Structs.cap(in + IbvQpInitAttrEx.CAP)));
      return NativeObject.make(
          address,
          CREATE,
          Functions.DESTROY_QP,
          () ->
              attr.hasSendOps()
                  ? new NativeQueuePairEx(pd, granted, address)
                  : new NativeQueuePair(context, pd, granted, address),
          uses);
    }
  }

  /** As the inline function: what only a protection domain is given for has a plain call. */
  private static long create(NativeContext context, long pd, QpInitAttr attr, long in) {
    int mask = attr.hasSendOps() ? WITH_SEND_OPS : 0;
    mask |= attr.createFlags() != 0 ? WITH_CREATE_FLAGS : 0;
    mask |= attr.maxTsoHeader() != 0 ? WITH_TSO_HEADER : 0;
    if (mask == 0) {
      return Functions.CREATE_QP
          .call(CREATE, pd, in)
          .locking()
          .pointer(CREATE, attr + " in the " + context);
    }
    Host.setInt(in + IbvQpInitAttrEx.COMP_MASK, mask | WITH_PD);
    Host.setLong(in + IbvQpInitAttrEx.PD, pd);
    Host.setInt(in + IbvQpInitAttrEx.CREATE_FLAGS, attr.createFlags());
    Host.setShort(in + IbvQpInitAttrEx.MAX_TSO_HEADER, attr.maxTsoHeader());
    Host.setLong(in + IbvQpInitAttrEx.SEND_OPS_FLAGS, attr.sendOps());
    return createEx(CREATE, context, attr, in);
  }

  private static long createEx(String verb, NativeContext context, QpInitAttr attr, long in) {
    try (Handle.Use use = context.handle().use(verb)) {
      return context
          .operations()
          .extended("create_qp_ex", VerbsContext.CREATE_QP_EX)
          .call(verb, use.address(), in)
          .locking()
          .pointer(verb, attr + " in the " + context);
    }
  }

  /** A queue pair of an XRC domain: type XRC_RECV. */
  static NativeQueuePair createXrcRecv(NativeContext context, QpInitAttr attr) {
    context.lifetime().require(CREATE_EX);
    NativeXrcDomain xrcd =
        context.own(CREATE_EX, QpInitRules.xrcd(CREATE_EX, attr), NativeXrcDomain.class);
    try (Handle.Use use = xrcd.handle().use(CREATE_EX);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvQpInitAttrEx.LAYOUT.size(), Long.BYTES).address();
      Host.setInt(in + IbvQpInitAttrEx.QP_TYPE, QpType.XRC_RECV.number());
      Host.setInt(in + IbvQpInitAttrEx.COMP_MASK, WITH_XRCD);
      Host.setLong(in + IbvQpInitAttrEx.XRCD, use.address());
      long address = createEx(CREATE_EX, context, attr, in);
      return xrcRecv(CREATE_EX, xrcd, attr.qpContext(), address);
    }
  }

  /** One more handle of an XRC_RECV queue pair. */
  static NativeQueuePair open(NativeContext context, QpOpenAttr attr) {
    context.lifetime().require(OPEN);
    NativeXrcDomain xrcd = context.own(OPEN, attr.xrcd(), NativeXrcDomain.class);
    try (Handle.Use use = context.handle().use(OPEN);
        Handle.Use domain = xrcd.handle().use(OPEN);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvQpOpenAttr.LAYOUT.size(), Long.BYTES).address();
      Host.setInt(in + IbvQpOpenAttr.COMP_MASK, NAMED);
      Host.setInt(in + IbvQpOpenAttr.QP_NUM, attr.qpNum());
      Host.setLong(in + IbvQpOpenAttr.XRCD, domain.address());
      Host.setInt(in + IbvQpOpenAttr.QP_TYPE, attr.qpType().number());
      long address =
          context
              .operations()
              .extended("open_qp", VerbsContext.OPEN_QP)
              .call(OPEN, use.address(), in)
              .pointer(
                  OPEN,
                  "queue pair 0x"
                      + Integer.toHexString(attr.qpNum())
                      + " of type "
                      + attr.qpType()
                      + " in "
                      + xrcd);
      return xrcRecv(OPEN, xrcd, attr.qpContext(), address);
    }
  }

  private static NativeQueuePair xrcRecv(
      String verb, NativeXrcDomain xrcd, @Nullable Object qpContext, long address) {
    QpInitAttr granted = QpInitRules.ofXrcRecv(xrcd, qpContext);
    return NativeObject.make(
        address,
        verb,
        Functions.DESTROY_QP,
        () -> new NativeQueuePair(xrcd.home(), null, granted, address),
        List.of(xrcd.lifetime()));
  }

  /** A queue pair that distributes frames over work queues, and has no queues of its own. */
  private static NativeQueuePair createHashing(NativeProtectionDomain pd, QpInitAttr attr) {
    NativeContext context = pd.home();
    RxHashConf hash = QpInitRules.hash(CREATE, attr);
    byte[] key = hash.rxHashKey();
    FieldBits.requireFit(CREATE, "rx_hash_function", hash.rxHashFunction(), Byte.SIZE);
    FieldBits.requireFit(CREATE, "rx_hash_key_len", key.length, Byte.SIZE);
    NativeRwqIndTable table =
        context.own(CREATE, Objects.requireNonNull(attr.rwqIndTbl()), NativeRwqIndTable.class);
    try (Handle.Use use = pd.handle().use(CREATE);
        Handle.Use entries = table.handle().use(CREATE);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvQpInitAttrEx.LAYOUT.size(), Long.BYTES).address();
      Host.setInt(in + IbvQpInitAttrEx.QP_TYPE, attr.qpType().number());
      int flags = attr.createFlags();
      int mask = WITH_PD | WITH_TABLE | WITH_HASH | (flags == 0 ? 0 : WITH_CREATE_FLAGS);
      Host.setInt(in + IbvQpInitAttrEx.COMP_MASK, mask);
      Host.setInt(in + IbvQpInitAttrEx.CREATE_FLAGS, flags);
      Host.setLong(in + IbvQpInitAttrEx.PD, use.address());
      Host.setLong(in + IbvQpInitAttrEx.RWQ_IND_TBL, entries.address());
      Host.setByte(in + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_FUNCTION, hash.rxHashFunction());
      Host.setByte(in + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_KEY_LEN, key.length);
      Host.setLong(
          in + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_KEY,
          arena.allocateFrom(ValueLayout.JAVA_BYTE, key).address());
      Host.setLong(in + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_FIELDS_MASK, hash.rxHashFieldsMask());
      long address = createEx(CREATE, context, attr, in);
      return NativeObject.make(
          address,
          CREATE,
          Functions.DESTROY_QP,
          () -> new NativeQueuePair(context, pd, QpInitRules.granted(attr), address),
          List.of(table.lifetime()));
    }
  }

  private static NativeCompletionQueue cq(
      NativeContext context, String which, @Nullable CompletionQueue cq, List<Lifetime> uses) {
    if (cq == null) {
      throw new VerbsException(CREATE, Errno.EINVAL, "QpInitAttr names no " + which);
    }
    NativeCompletionQueue own = context.own(CREATE, cq, NativeCompletionQueue.class);
    uses.add(own.lifetime());
    return own;
  }

  private static Handle.@Nullable Use use(@Nullable NativeObject object) {
    return object == null ? null : object.handle().use(CREATE);
  }

  private static long address(Handle.@Nullable Use use) {
    return use == null ? 0 : use.address();
  }

  /** The queue pair with this number that was made from an object; null if there is none. */
  static @Nullable QueuePair find(Lifetime owner, int qpNum) {
    owner.require("fromQpNum");
    return owner.find(NativeQueuePair.class, qp -> qp.number() == qpNum);
  }

  private QueuePairFactory() {}
}
