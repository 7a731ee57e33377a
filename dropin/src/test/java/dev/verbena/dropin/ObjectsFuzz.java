package dev.verbena.dropin;

import dev.verbena.dropin.object.ContextBinding;
import dev.verbena.dropin.object.HandleKind;
import dev.verbena.dropin.object.Handles;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.host.Structs;
import dev.verbena.rdmacore.layout.IbvAh;
import dev.verbena.rdmacore.layout.IbvAhAttr;
import dev.verbena.rdmacore.layout.IbvCqEx;
import dev.verbena.rdmacore.layout.IbvCqInitAttrEx;
import dev.verbena.rdmacore.layout.IbvFlow;
import dev.verbena.rdmacore.layout.IbvFlowAttr;
import dev.verbena.rdmacore.layout.IbvGlobalRoute;
import dev.verbena.rdmacore.layout.IbvGrh;
import dev.verbena.rdmacore.layout.IbvMr;
import dev.verbena.rdmacore.layout.IbvMw;
import dev.verbena.rdmacore.layout.IbvMwBind;
import dev.verbena.rdmacore.layout.IbvPd;
import dev.verbena.rdmacore.layout.IbvQp;
import dev.verbena.rdmacore.layout.IbvQpAttr;
import dev.verbena.rdmacore.layout.IbvQpCap;
import dev.verbena.rdmacore.layout.IbvQpEx;
import dev.verbena.rdmacore.layout.IbvQpInitAttr;
import dev.verbena.rdmacore.layout.IbvQpInitAttrEx;
import dev.verbena.rdmacore.layout.IbvRwqIndTable;
import dev.verbena.rdmacore.layout.IbvSrq;
import dev.verbena.rdmacore.layout.IbvSrqAttr;
import dev.verbena.rdmacore.layout.IbvSrqInitAttrEx;
import dev.verbena.rdmacore.layout.IbvWc;
import dev.verbena.rdmacore.layout.IbvWq;
import dev.verbena.rdmacore.layout.StructLayout;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RxHashFunction;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * Calls that make, change and end objects, in any order, with structs and tables that a program has
 * laid out; for bin/fuzz. Each does what it should or is refused with a reason, and then it changes
 * nothing of the program's memory. In the end nothing uses any object, and no handle is left.
 */
public final class ObjectsFuzz {
  private static final int MOST_CALLS = 20;

  /** A size of most objects, which sometimes have any. */
  private static final int SOME = 8;

  private static final int KEY_BYTES = 40;

  /** The largest tables that are laid out; a larger one may be one that the device would take. */
  private static final int LOG_LAID_OUT = 7;

  /** The largest that are read. */
  private static final int LOG_READ = 16;

  /** More than the shim passes on. */
  private static final int LOG_REFUSED = 32;

  /** What a table's entries repeat. */
  private static final int DIFFERENT = 4;

  /** Bits of comp_mask of queue pairs: for the hash, and all others that have a meaning in Java. */
  private static final int HASH = 1 << 5;

  private static final int OTHERS = 1 << 2 | 1 << 3 | 1 << 6;

  private static final int HANDLES = 128;
  private static final HandleKind<Object> ANY = new HandleKind<>(Object.class, "object");

  private static final QpType[] TYPES = QpType.values();

  /** What a step of a queue pair to its next state needs, or more. */
  private static final int[] STEPS = {
    QpAttrMask.STATE,
    QpAttrMask.STATE | QpAttrMask.PORT,
    QpAttrMask.STATE | QpAttrMask.PORT | QpAttrMask.PKEY_INDEX | QpAttrMask.ACCESS_FLAGS,
    QpAttrMask.STATE | QpAttrMask.PORT | QpAttrMask.PKEY_INDEX | QpAttrMask.QKEY,
    QpAttrMask.STATE
        | QpAttrMask.AV
        | QpAttrMask.PATH_MTU
        | QpAttrMask.DEST_QPN
        | QpAttrMask.RQ_PSN
        | QpAttrMask.MAX_DEST_RD_ATOMIC
        | QpAttrMask.MIN_RNR_TIMER,
    QpAttrMask.STATE
        | QpAttrMask.TIMEOUT
        | QpAttrMask.RETRY_CNT
        | QpAttrMask.RNR_RETRY
        | QpAttrMask.SQ_PSN
        | QpAttrMask.MAX_QP_RD_ATOMIC
  };

  private static final long CONTEXT =
      Handles.add(FuzzQueues.CONTEXT, new ContextBinding(FuzzQueues.CONTEXT, 0));

  /** A kind of object, and how it ends. */
  private record Kind(String name, StructLayout layout, long handleField, LongUnaryOperator end) {
    static final Kind PD = new Kind("PD", IbvPd.LAYOUT, IbvPd.HANDLE, DomainCalls::deallocPd);
    static final Kind CQ = new Kind("CQ", IbvCqEx.LAYOUT, IbvCqEx.HANDLE, CqCalls::destroyCq);
    static final Kind WQ = new Kind("WQ", IbvWq.LAYOUT, IbvWq.HANDLE, WqCalls::destroyWq);
    static final Kind TABLE =
        new Kind(
            "table",
            IbvRwqIndTable.LAYOUT,
            IbvRwqIndTable.IND_TBL_HANDLE,
            WqCalls::destroyRwqIndTable);
    static final Kind SRQ = new Kind("SRQ", IbvSrq.LAYOUT, IbvSrq.HANDLE, SrqCalls::destroySrq);
    static final Kind QP = new Kind("QP", IbvQpEx.LAYOUT, IbvQp.HANDLE, QpCalls::destroyQp);
    static final Kind AH = new Kind("AH", IbvAh.LAYOUT, IbvAh.HANDLE, DomainCalls::destroyAh);
    static final Kind MW = new Kind("MW", IbvMw.LAYOUT, IbvMw.HANDLE, MemoryCalls::deallocMw);
    static final Kind FLOW =
        new Kind("flow", IbvFlow.LAYOUT, IbvFlow.HANDLE, FlowCalls::destroyFlow);

    /** Has no handle in its struct, so the shim notes what the call returns. */
    static final Kind XRCD = new Kind("XRCD", IbvPd.LAYOUT, IbvPd.HANDLE, DomainCalls::closeXrcd);
  }

  private record Made(Kind kind, long struct) {
    long handle() {
      return Host.getInt(struct + kind.handleField);
    }

    long end() {
      return kind.end.applyAsLong(handle());
    }
  }

  private final FuzzMemory memory;
  private final List<Made> objects = new ArrayList<>();

  private ObjectsFuzz(FuzzMemory memory) {
    this.memory = memory;
  }

  /** See the class. */
  public static void fuzzerTestOneInput(byte[] data) {
    int before = handles();
    new ObjectsFuzz(new FuzzMemory(data)).run();
    if (handles() != before) {
      throw new AssertionError("%d handles, and %d before".formatted(handles(), before));
    }
  }

  private static int handles() {
    int count = 0;
    for (int i = 0; i < HANDLES; i++) {
      try {
        Handles.get(i, ANY);
        count++;
      } catch (VerbsException e) {
        // A free one.
      }
    }
    return count;
  }

  private void run() {
    begin();
    for (int calls = memory.below(MOST_CALLS); calls > 0; calls--) {
      call();
    }
    // Nothing has users that were made before it.
    for (Made each : objects.reversed()) {
      long errno = -each.end();
      if (errno != 0) {
        throw new AssertionError("errno " + errno + ": something still uses the " + each.kind.name);
      }
    }
  }

  /** Makes what queue pairs of most kinds need. */
  private void begin() {
    make(Kind.PD, pd -> DomainCalls.allocPd(CONTEXT, pd));
    long attr = memory.zeros(IbvCqInitAttrEx.LAYOUT.size());
    Host.setInt(attr + IbvCqInitAttrEx.CQE, SOME);
    makeCq(attr, 0);
    long pd = objects.getFirst().handle();
    long cq = objects.getLast().handle();
    make(Kind.WQ, wq -> WqCalls.createWq(CONTEXT, pd, cq, SOME, 1, wq));
    long list = memory.zeros(Long.BYTES);
    Host.setLong(list, objects.getLast().struct);
    make(Kind.TABLE, table -> WqCalls.createRwqIndTable(CONTEXT, 0, list, table));
  }

  private void call() {
    switch (memory.below(18)) {
      case 0 -> wq();
      case 1 -> table();
      case 2 -> hashingQp();
      case 3 -> qp();
      case 4 -> srq();
      case 5 -> cq();
      case 6 -> ah();
      case 7 -> mw();
      case 8 -> xrcd();
      case 9 -> flow();
      case 10, 11 -> modifyQp();
      case 12 -> modifySrq();
      case 13 -> modifyWq();
      case 14 -> sender();
      case 15 -> bindMw();
      case 16 -> query();
      default -> end();
    }
  }

  /** Makes an object, for which a call returns its struct and may return other values. */
  private void make(Kind kind, LongUnaryOperator call, long... outputs) {
    long struct = memory.zeros(kind.layout.size());
    byte[] before = FuzzMemory.copy();
    long result = FuzzQueues.answer(() -> call.applyAsLong(struct));
    if (result < 0) {
      FuzzMemory.requireUnchanged(before);
      return;
    }
    if (kind.equals(Kind.XRCD)) {
      Host.setInt(struct + kind.handleField, (int) result);
    }
    Made made = new Made(kind, struct);
    Handles.get(made.handle(), ANY);
    long size = kind.layout.size();
    if (outputs.length == 0) {
      FuzzMemory.requireUnchanged(before, struct, size);
    } else {
      FuzzMemory.requireUnchanged(before, struct, size, outputs[0], outputs[1]);
    }
    objects.add(made);
  }

  /** Changes an object, or asks for values. */
  private static void use(LongUnaryOperator call, long out, long size, int... errnos) {
    byte[] before = FuzzMemory.copy();
    long result = FuzzQueues.answer(() -> call.applyAsLong(out), errnos);
    FuzzMemory.requireUnchanged(before, out, result < 0 ? 0 : size);
  }

  /** Mostly a small number. */
  private int number() {
    return memory.count(SOME);
  }

  /** An object of this kind, of any other, of none, or null. */
  private long struct(Kind kind) {
    List<Made> some = objects.stream().filter(each -> each.kind.equals(kind)).toList();
    if (some.isEmpty() || memory.oneIn(16)) {
      return SendListFuzz.object(memory, kind.layout.size(), kind.handleField);
    }
    return some.get(memory.below(some.size())).struct;
  }

  /** The handle of such an object, as the shim reads it. */
  private long handle(Kind kind) {
    long struct = struct(kind);
    return struct == 0
        ? FuzzQueues.NONE
        : Integer.toUnsignedLong(Host.getInt(struct + kind.handleField));
  }

  private void cq() {
    long attr = memory.zeros(IbvCqInitAttrEx.LAYOUT.size());
    Host.setInt(attr + IbvCqInitAttrEx.CQE, number());
    Host.setInt(attr + IbvCqInitAttrEx.COMP_VECTOR, memory.below(2));
    Host.setLong(attr + IbvCqInitAttrEx.WC_FLAGS, memory.nextInt());
    Host.setInt(attr + IbvCqInitAttrEx.COMP_MASK, memory.below(2));
    Host.setInt(attr + IbvCqInitAttrEx.FLAGS, memory.next());
    makeCq(attr, memory.below(2));
  }

  private void makeCq(long attr, long extended) {
    make(
        Kind.CQ,
        cq -> CqCalls.createCq(CONTEXT, attr, FuzzQueues.NONE, FuzzQueues.NONE, extended, cq));
  }

  private void wq() {
    long pd = handle(Kind.PD);
    long cq = handle(Kind.CQ);
    long maxWr = number();
    long maxSge = number();
    make(Kind.WQ, wq -> WqCalls.createWq(CONTEXT, pd, cq, maxWr, maxSge, wq));
  }

  private void table() {
    int log = memory.oneIn(8) ? memory.below(LOG_REFUSED) : memory.below(DIFFERENT);
    long list;
    if (log > LOG_LAID_OUT) {
      list = log > LOG_READ ? memory.wild() : 0;
    } else {
      list = memory.oneIn(16) ? 0 : entries(1 << log);
    }
    make(Kind.TABLE, table -> WqCalls.createRwqIndTable(CONTEXT, log, list, table));
  }

  private long entries(int count) {
    long list = memory.zeros((long) count * Long.BYTES);
    for (int i = 0; i < count; i++) {
      long entry =
          i < DIFFERENT
              ? struct(Kind.WQ)
              : Host.getLong(list + (long) (i - DIFFERENT) * Long.BYTES);
      Host.setLong(list + (long) i * Long.BYTES, entry);
    }
    return list;
  }

  private void hashingQp() {
    long attr = memory.zeros(IbvQpInitAttrEx.LAYOUT.size());
    int type = memory.oneIn(16) ? memory.next() : QpType.RAW_PACKET.number();
    Host.setInt(attr + IbvQpInitAttrEx.QP_TYPE, type);
    Host.setInt(attr + IbvQpInitAttrEx.COMP_MASK, memory.oneIn(16) ? 0 : HASH);
    int length = memory.oneIn(8) ? memory.next() : KEY_BYTES;
    long key = memory.bytes(length);
    Host.setByte(attr + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_KEY_LEN, length);
    Host.setLong(attr + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_KEY, memory.oneIn(8) ? 0 : key);
    int function = memory.oneIn(8) ? memory.next() : RxHashFunction.TOEPLITZ;
    Host.setByte(attr + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_FUNCTION, function);
    long fields = memory.oneIn(8) ? memory.nextLong() : memory.next();
    Host.setLong(attr + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_FIELDS_MASK, fields);
    long cq = memory.oneIn(8) ? handle(Kind.CQ) : FuzzQueues.NONE;
    long srq = memory.oneIn(8) ? handle(Kind.SRQ) : FuzzQueues.NONE;
    makeQp(attr, handle(Kind.PD), cq, cq, srq, FuzzQueues.NONE, handle(Kind.TABLE));
  }

  private void qp() {
    long attr = memory.zeros(IbvQpInitAttrEx.LAYOUT.size());
    int type = memory.oneIn(16) ? memory.nextInt() : TYPES[memory.below(TYPES.length)].number();
    Host.setInt(attr + IbvQpInitAttrEx.QP_TYPE, type);
    Host.setInt(attr + IbvQpInitAttrEx.COMP_MASK, memory.next() & OTHERS);
    Host.setInt(attr + IbvQpInitAttrEx.SQ_SIG_ALL, memory.below(2));
    Host.setInt(attr + IbvQpInitAttrEx.CREATE_FLAGS, memory.oneIn(2) ? memory.nextInt() : 0);
    Host.setShort(attr + IbvQpInitAttrEx.MAX_TSO_HEADER, memory.next());
    long ops = memory.oneIn(8) ? memory.nextLong() : memory.next();
    Host.setLong(attr + IbvQpInitAttrEx.SEND_OPS_FLAGS, ops);
    for (long field = 0; field < IbvQpCap.LAYOUT.size(); field += Integer.BYTES) {
      Host.setInt(attr + IbvQpInitAttrEx.CAP + field, number());
    }
    boolean isTarget = type == QpType.XRC_RECV.number();
    long pd = isTarget ? FuzzQueues.NONE : handle(Kind.PD);
    long xrcd = isTarget ? handle(Kind.XRCD) : FuzzQueues.NONE;
    long sendCq = isTarget ? FuzzQueues.NONE : handle(Kind.CQ);
    boolean isInitiator = type == QpType.XRC_SEND.number();
    long recvCq = isTarget || isInitiator ? FuzzQueues.NONE : handle(Kind.CQ);
    long srq = memory.oneIn(4) ? handle(Kind.SRQ) : FuzzQueues.NONE;
    makeQp(attr, pd, sendCq, recvCq, srq, xrcd, FuzzQueues.NONE);
  }

  /**
   * Makes a queue pair.
   *
   * @param handles those of its parts, as the shim lays them out
   */
  private void makeQp(long attr, long... handles) {
    long parts = memory.zeros((long) handles.length * Long.BYTES);
    for (int i = 0; i < handles.length; i++) {
      Host.setLong(parts + (long) i * Long.BYTES, handles[i]);
    }
    make(
        Kind.QP,
        qp -> QpCalls.createQp(CONTEXT, attr, parts, qp),
        attr + IbvQpInitAttrEx.CAP,
        IbvQpCap.LAYOUT.size());
  }

  private void srq() {
    // The attributes, and behind them the number that the shim has room for.
    long size = IbvSrqInitAttrEx.LAYOUT.size();
    long attr = memory.zeros(size + Integer.BYTES);
    long number = attr + size;
    boolean isXrc = memory.oneIn(2);
    Host.setInt(attr + IbvSrqInitAttrEx.COMP_MASK, isXrc ? 1 : 0);
    Host.setInt(attr + IbvSrqInitAttrEx.SRQ_TYPE, memory.oneIn(8) ? memory.next() : 1);
    Host.setInt(attr + IbvSrqInitAttrEx.ATTR + IbvSrqAttr.MAX_WR, number());
    Host.setInt(attr + IbvSrqInitAttrEx.ATTR + IbvSrqAttr.MAX_SGE, number());
    long pd = handle(Kind.PD);
    long xrcd = isXrc ? handle(Kind.XRCD) : FuzzQueues.NONE;
    long cq = isXrc ? handle(Kind.CQ) : FuzzQueues.NONE;
    make(Kind.SRQ, srq -> SrqCalls.createSrq(pd, attr, xrcd, cq, srq, number), attr, size + 4);
  }

  private void ah() {
    long attr = address();
    long pd = handle(Kind.PD);
    make(Kind.AH, ah -> DomainCalls.createAh(pd, attr, ah));
  }

  /** Any address vector, or one of this device. */
  private long address() {
    if (memory.oneIn(2)) {
      return memory.struct(IbvAhAttr.LAYOUT);
    }
    long attr = memory.zeros(IbvAhAttr.LAYOUT.size());
    setAddress(attr);
    return attr;
  }

  private static void setAddress(long attr) {
    Structs.setGid(attr + IbvAhAttr.GRH + IbvGlobalRoute.DGID, FuzzQueues.CONTEXT.queryGid(1, 0));
    Host.setByte(attr + IbvAhAttr.IS_GLOBAL, 1);
    Host.setByte(attr + IbvAhAttr.PORT_NUM, 1);
  }

  private void mw() {
    long pd = handle(Kind.PD);
    long type = memory.oneIn(8) ? memory.nextInt() : 1 + memory.below(2);
    make(Kind.MW, mw -> MemoryCalls.allocMw(pd, type, mw));
  }

  private void xrcd() {
    long oflags = memory.oneIn(8) ? memory.nextInt() : 0;
    make(Kind.XRCD, xrcd -> DomainCalls.openXrcd(CONTEXT, FuzzQueues.NONE, oflags));
  }

  /** A rule without specifications, which FlowAttrsFuzz has. */
  private void flow() {
    long attr = memory.zeros(IbvFlowAttr.LAYOUT.size());
    Host.setInt(attr + IbvFlowAttr.TYPE, memory.next());
    Host.setShort(attr + IbvFlowAttr.SIZE, (int) IbvFlowAttr.LAYOUT.size());
    Host.setShort(attr + IbvFlowAttr.PRIORITY, memory.below(4));
    Host.setByte(attr + IbvFlowAttr.PORT, memory.oneIn(8) ? memory.next() : 1);
    Host.setInt(attr + IbvFlowAttr.FLAGS, memory.oneIn(8) ? memory.next() : 0);
    long qp = handle(Kind.QP);
    make(Kind.FLOW, flow -> FlowCalls.createFlow(qp, attr, flow));
  }

  private void modifyQp() {
    long attr = memory.oneIn(4) ? memory.struct(IbvQpAttr.LAYOUT) : likely();
    Host.setInt(attr + IbvQpAttr.QP_STATE, memory.below(8));
    long mask = memory.oneIn(8) ? memory.nextInt() : STEPS[memory.below(STEPS.length)];
    long qp = handle(Kind.QP);
    use(in -> QpCalls.modifyQp(qp, in, mask), attr, 0);
  }

  private long likely() {
    long attr = memory.zeros(IbvQpAttr.LAYOUT.size());
    Host.setByte(attr + IbvQpAttr.PORT_NUM, 1);
    Host.setInt(attr + IbvQpAttr.PATH_MTU, Mtu.of(1 + memory.below(5)).number());
    setAddress(attr + IbvQpAttr.AH_ATTR);
    return attr;
  }

  private void modifySrq() {
    long attr = memory.zeros(IbvSrqAttr.LAYOUT.size());
    Host.setInt(attr + IbvSrqAttr.MAX_WR, number());
    Host.setInt(attr + IbvSrqAttr.SRQ_LIMIT, number());
    long mask = number();
    long srq = handle(Kind.SRQ);
    use(in -> SrqCalls.modifySrq(srq, in, mask), attr, 0);
  }

  private void modifyWq() {
    long state = number();
    long wq = handle(Kind.WQ);
    use(none -> WqCalls.modifyWq(wq, state), wq, 0);
  }

  private void sender() {
    long wc = memory.struct(IbvWc.LAYOUT);
    long grh = memory.oneIn(4) ? 0 : memory.struct(IbvGrh.LAYOUT);
    long port = memory.oneIn(8) ? memory.next() : 1;
    long out = memory.zeros(IbvAhAttr.LAYOUT.size());
    use(
        attr -> DeviceCalls.initAhFromWc(CONTEXT, port, wc, grh, attr),
        out,
        IbvAhAttr.LAYOUT.size(),
        Errno.EPROTONOSUPPORT);
  }

  private void bindMw() {
    long bind = memory.struct(IbvMwBind.LAYOUT);
    long mr = SendListFuzz.object(memory, IbvMr.LAYOUT.size(), IbvMr.HANDLE);
    Host.setLong(bind + IbvMwBind.BIND_INFO_MR, mr);
    long qp = handle(Kind.QP);
    long given = memory.oneIn(16) ? 0 : bind;
    use(mw -> MemoryCalls.bindMw(qp, mw, given), struct(Kind.MW), IbvMw.LAYOUT.size());
  }

  private void query() {
    long attr = memory.zeros(IbvQpAttr.LAYOUT.size() + IbvQpInitAttr.LAYOUT.size());
    long init = attr + IbvQpAttr.LAYOUT.size();
    long mask = memory.nextInt();
    long qp = handle(Kind.QP);
    use(
        out -> QpCalls.queryQp(qp, out, mask, init),
        attr,
        IbvQpAttr.LAYOUT.size() + IbvQpInitAttr.LAYOUT.size());
    long srq = handle(Kind.SRQ);
    use(out -> SrqCalls.querySrq(srq, out), attr, IbvSrqAttr.LAYOUT.size());
  }

  /** Ends one of the objects, unless others use it. */
  private void end() {
    if (objects.isEmpty()) {
      return;
    }
    Made each = objects.get(memory.below(objects.size()));
    if (FuzzQueues.answer(each::end, Errno.EBUSY) == 0) {
      objects.remove(each);
    }
  }
}
