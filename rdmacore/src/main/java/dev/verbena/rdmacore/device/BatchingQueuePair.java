package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.DataPathNative;
import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.host.FieldBits;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvMwBindInfo;
import dev.verbena.rdmacore.layout.IbvQpEx;
import dev.verbena.rdmacore.post.BoundKeys;
import dev.verbena.rdmacore.post.NativeAddress;
import dev.verbena.rdmacore.post.NativeBindable;
import dev.verbena.rdmacore.post.SendSide;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.provider.CallSection;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair of libibverbs with batches: what is built between wrStart and wrComplete, by the
 * functions of struct ibv_qp_ex. The library knows the rules and says at the end what was wrong;
 * this class refuses what the library would not survive, and then nothing is posted either. It
 * allocates nothing unless it fails.
 */
abstract sealed class BatchingQueuePair extends NativeQueuePair implements QueuePairEx
    permits NativeQueuePairEx {
  private static final String COMPLETE = "wrComplete";
  private static final int NONE = -1;

  /** The functions of the struct are in a row. */
  private static final long FIRST = IbvQpEx.WR_ATOMIC_CMP_SWP;

  private static final long LAST = IbvQpEx.LAYOUT.size();

  /** Since rdma-core 47, behind all others of 44. */
  static final long WR_FLUSH = LAST;

  private final CallSection section;
  private final SendSide sends;
  private final long qp;
  private final int sendOps;
  private final MemorySegment[] functions;
  private final BoundKeys boundKeys = new BoundKeys();
  private long wrId;
  private int flags;
  private int builders;
  private boolean builds;
  private boolean hasData;
  private boolean hasDestination;
  private int refusedErrno;
  private @Nullable String refusal;
  private int refusedBuilder = NONE;

  /**
   * @param address of its struct ibv_qp, which is the beginning of a struct ibv_qp_ex
   */
  BatchingQueuePair(NativeProtectionDomain pd, QpInitAttr granted, long address) {
    super(pd.home(), pd, granted, address);
    this.section = section();
    this.sends = sends();
    this.qp =
        Functions.QP_TO_QP_EX
            .call("toQpEx", address)
            .pointer("toQpEx", "a queue pair with send operations");
    this.sendOps = granted.sendOps();
    this.functions = functions(qp, sendOps);
  }

  @Override
  public final QueuePairEx toQpEx() {
    lifetime().require("toQpEx");
    return this;
  }

  @Override
  public final void resumeWr() {
    section.takeOver();
  }

  @Override
  public final long wrId() {
    lifetime().require("wrId");
    return wrId;
  }

  @Override
  public final QueuePairEx wrId(long value) {
    lifetime().require("wrId");
    wrId = value;
    return this;
  }

  @Override
  public final int wrFlags() {
    lifetime().require("wrFlags");
    return flags;
  }

  @Override
  public final QueuePairEx wrFlags(int value) {
    lifetime().require("wrFlags");
    flags = value;
    return this;
  }

  @Override
  public final void wrStart() {
    requireNoBatch("wrStart");
    section.open("wrStart");
    forget();
    try {
      call("wrStart", IbvQpEx.WR_START, 0, 0, 0, 0);
    } catch (RuntimeException | Error e) {
      section.close();
      throw e;
    }
  }

  private void forget() {
    builders = 0;
    builds = false;
    refusal = null;
    refusedBuilder = NONE;
  }

  @Override
  public final void wrComplete() {
    section.requireOpen(COMPLETE);
    String why = refusal;
    int errno = refusedErrno;
    int index = refusedBuilder;
    int count = builders;
    try {
      if (why != null) {
        discard(COMPLETE);
      } else {
        errno = complete(COMPLETE);
      }
    } finally {
      forget();
      section.close();
    }
    if (errno != 0 || why != null) {
      String detail =
          why == null
              ? "the driver refuses a batch of " + count + (count == 1 ? " request" : " requests")
              : why;
      throw new WorkRequestException(COMPLETE, errno, lifetime().name(), detail, null, index);
    }
  }

  private int complete(String verb) {
    sends.enter(verb);
    try {
      int errno = DataPathNative.complete(function(IbvQpEx.WR_COMPLETE), qp);
      if (errno == 0) {
        boundKeys.keep();
      } else {
        boundKeys.undo();
      }
      // Whatever else could be out of room was refused before.
      return errno == Errno.ENOSPC ? Errno.ENOMEM : errno;
    } finally {
      sends.exit();
    }
  }

  private void discard(String verb) {
    sends.enter(verb);
    try {
      boundKeys.undo();
      invoke(verb, IbvQpEx.WR_ABORT, 0, 0, 0, 0);
    } finally {
      sends.exit();
    }
  }

  @Override
  public final void wrAbort() {
    // One that was closed has nothing left to discard.
    if (lifetime().isClosed()) {
      abandon();
      return;
    }
    section.requireOpen("wrAbort");
    try {
      discard("wrAbort");
    } finally {
      forget();
      section.close();
    }
  }

  /** What this thread has begun is over, so that nobody waits for it. */
  private void abandon() {
    if (section.isOpen()) {
      forget();
      section.close();
    }
  }

  @Override
  public final void tearDown() {
    abandon();
    super.tearDown();
  }

  /** Begins a request by the function at this offset. */
  final void build(String verb, WrOpcode opcode, long field, long second, long third, long fourth) {
    build(verb, opcode, field, second, third, fourth, 0);
  }

  /** Counts a request, of which nothing is built yet. */
  private void begin() {
    builders++;
    builds = false;
    hasData = false;
    hasDestination = false;
  }

  /** As {@link #build(String, WrOpcode, long, long, long, long)} with one more argument. */
  final void build(
      String verb, WrOpcode opcode, long field, long second, long third, long fourth, long fifth) {
    build(verb, opcode, field, second, third, fourth, fifth, 0);
  }

  /** As {@link #build(String, WrOpcode, long, long, long, long)} with two more arguments. */
  final void build(
      String verb,
      WrOpcode opcode,
      long field,
      long second,
      long third,
      long fourth,
      long fifth,
      long sixth) {
    section.requireOpen(verb);
    begin();
    if (refusal != null) {
      return;
    }
    if ((sendOps & SendOps.of(opcode)) == 0) {
      refuse(
          Errno.EOPNOTSUPP,
          opcode + " was not asked for when this QP was created: name it in sendOps");
      return;
    }
    builds = true;
    sends.enter(verb);
    try {
      Host.setLong(qp + IbvQpEx.WR_ID, wrId);
      Host.setInt(qp + IbvQpEx.WR_FLAGS, flags & ~SendFlags.INLINE);
      invoke(verb, field, second, third, fourth, fifth, sixth);
    } finally {
      sends.exit();
    }
  }

  @Override
  public final void wrAtomicWrite(int rkey, long remoteAddr, long value) {
    String verb = "wrAtomicWrite";
    section.requireOpen(verb);
    sends.enter(verb);
    try {
      Host.setLong(sends.scratch(), value);
      build(
          verb, WrOpcode.ATOMIC_WRITE, IbvQpEx.WR_ATOMIC_WRITE, rkey, remoteAddr, sends.scratch());
    } finally {
      sends.exit();
    }
  }

  /** Begins a request to bind a window. */
  final void bind(String verb, MemoryWindow mw, int rkey, MwBindInfo bindInfo) {
    section.requireOpen(verb);
    sends.enter(verb);
    try {
      long info = sends.scratch();
      long window = info + IbvMwBindInfo.LAYOUT.size();
      String why = sends.writeBind(mw, bindInfo, window, info);
      if (why == null) {
        long struct = Host.getLong(window);
        build(verb, WrOpcode.BIND_MW, IbvQpEx.WR_BIND_MW, struct, rkey, info, 0);
        if (builds && mw instanceof NativeBindable bound) {
          boundKeys.add(bound, rkey);
        }
      } else {
        refuseRequest(why);
      }
    } finally {
      sends.exit();
    }
  }

  /** Begins a flush. */
  final void flush(String verb, long rkey, long remoteAddr, long length, int type, int level) {
    section.requireOpen(verb);
    String why = FieldBits.unfit("type", type, Byte.SIZE);
    if (why == null) {
      build(verb, WrOpcode.FLUSH, WR_FLUSH, rkey, remoteAddr, length, type, level);
    } else {
      refuseRequest(why);
    }
  }

  /** Begins a request that a device cuts into segments. */
  final void segments(String verb, MemorySegment header, int mss) {
    section.requireOpen(verb);
    sends.enter(verb);
    try {
      String unfit = FieldBits.unfit("mss", mss, Short.SIZE);
      String why = unfit != null ? unfit : sends.copyHeader(header);
      if (why == null) {
        long at = sends.inlineScratch();
        build(verb, WrOpcode.TSO, IbvQpEx.WR_SEND_TSO, at, header.byteSize(), mss);
      } else {
        refuseRequest(why);
      }
    } finally {
      sends.exit();
    }
  }

  @Override
  public final void wrSetSge(int lkey, long addr, long length) {
    String verb = "wrSetSge";
    if (!maySetData(verb)) {
      return;
    }
    if (length >>> 32 != 0) {
      refuse(Errno.EINVAL, "an SGE of " + length + " bytes is not in 0 to 2^32-1");
      return;
    }
    sends.enter(verb);
    try {
      String why = sends.refuseElement(0, addr, length, lkey);
      if (why == null) {
        invoke(verb, IbvQpEx.WR_SET_SGE, lkey, addr, length, 0);
      } else {
        refuse(Errno.EINVAL, why);
      }
    } finally {
      sends.exit();
    }
  }

  @Override
  public final void wrSetSgeList(int numSge, Sge[] list) {
    String verb = "wrSetSgeList";
    if (!maySetData(verb)) {
      return;
    }
    sends.enter(verb);
    try {
      String why = sends.refuseElements(list, numSge);
      if (why == null) {
        why = sends.writeElements(list, numSge, sends.scratch());
      }
      if (why != null) {
        refuse(Errno.EINVAL, why);
        return;
      }
      invoke(verb, IbvQpEx.WR_SET_SGE_LIST, numSge, sends.elements(sends.scratch()), 0, 0);
    } finally {
      sends.exit();
    }
  }

  @Override
  public final void wrSetInlineDataList(int numBuf, MemorySegment[] list) {
    String verb = "wrSetInlineDataList";
    if (!maySetData(verb)) {
      return;
    }
    if (numBuf < 0 || numBuf > list.length) {
      refuse(Errno.EINVAL, numBuf + " buffers of a list of " + list.length);
      return;
    }
    sends.enter(verb);
    try {
      long total = 0;
      for (int i = 0; i < numBuf; i++) {
        MemorySegment data = list[i];
        String why =
            data == null
                ? "buffer " + i + " is null"
                : sends.copyInline(data, 0, data.byteSize(), total);
        if (why != null) {
          refuse(Errno.EINVAL, why);
          return;
        }
        total += data == null ? 0 : data.byteSize();
      }
      inline(verb, total);
    } finally {
      sends.exit();
    }
  }

  @Override
  public final void wrSetInlineData(MemorySegment data, long offset, long length) {
    String verb = "wrSetInlineData";
    if (!maySetData(verb)) {
      return;
    }
    sends.enter(verb);
    try {
      String why = sends.copyInline(data, offset, length, 0);
      if (why != null) {
        refuse(Errno.EINVAL, why);
        return;
      }
      inline(verb, length);
    } finally {
      sends.exit();
    }
  }

  private void inline(String verb, long total) {
    invoke(verb, IbvQpEx.WR_SET_INLINE_DATA, sends.inlineScratch(), total, 0, 0);
  }

  @Override
  public final void wrSetUdAddr(AddressHandle ah, int remoteQpn, int remoteQkey) {
    String verb = "wrSetUdAddr";
    if (!maySetDestination(verb)) {
      return;
    }
    sends.enter(verb);
    try {
      String why =
          qpType() == QpType.UD
              ? sends.refuseAddress(ah)
              : "only requests of UD queue pairs name a destination";
      if (why != null) {
        refuse(Errno.EINVAL, why);
      } else if (ah instanceof NativeAddress own) {
        invoke(verb, IbvQpEx.WR_SET_UD_ADDR, own.address(), remoteQpn, remoteQkey, 0);
      }
    } finally {
      sends.exit();
    }
  }

  @Override
  public final void wrSetXrcSrqn(int number) {
    if (!maySetDestination("wrSetXrcSrqn")) {
      return;
    }
    if (qpType() != QpType.XRC_SEND) {
      refuse(Errno.EINVAL, "only requests of XRC_SEND queue pairs name a shared receive queue");
    } else {
      call("wrSetXrcSrqn", IbvQpEx.WR_SET_XRC_SRQN, number, 0, 0, 0);
    }
  }

  /** Whether a setter has a request to give data to; librxe would take the second for the first. */
  private boolean maySetData(String verb) {
    if (maySet(verb) && hasData) {
      refuse(Errno.EINVAL, verb + ": the data of this work request has already been set");
    }
    hasData = true;
    return refusal == null;
  }

  /** Whether a setter has a request to give a destination to. */
  private boolean maySetDestination(String verb) {
    if (maySet(verb) && hasDestination) {
      refuse(Errno.EINVAL, verb + ": the destination of this work request has already been set");
    }
    hasDestination = true;
    return refusal == null;
  }

  /** Whether a setter has a request to be for, and nothing was refused before. */
  private boolean maySet(String verb) {
    section.requireOpen(verb);
    if (refusal == null && !builds) {
      refuse(Errno.EINVAL, verb + " without a work request");
    }
    return refusal == null;
  }

  private void call(String verb, long field, long second, long third, long fourth, long fifth) {
    sends.enter(verb);
    try {
      invoke(verb, field, second, third, fourth, fifth);
    } finally {
      sends.exit();
    }
  }

  private MemorySegment function(long field) {
    return functions[(int) ((field - FIRST) / Long.BYTES)];
  }

  private static MemorySegment[] functions(long qp, int sendOps) {
    MemorySegment[] functions = new MemorySegment[(int) ((LAST - FIRST) / Long.BYTES) + 1];
    for (int i = 0; i < functions.length; i++) {
      long field = FIRST + (long) i * Long.BYTES;
      // Without the operation, an older release may have something else there.
      boolean exists = field != WR_FLUSH || (sendOps & SendOps.FLUSH) != 0;
      functions[i] = MemorySegment.ofAddress(exists ? Host.getLong(qp + field) : 0);
    }
    return functions;
  }

  /** Calls a function of the struct, under the lock of the side that posts. */
  private void invoke(String verb, long field, long second, long third, long fourth, long fifth) {
    invoke(verb, field, second, third, fourth, fifth, 0);
  }

  private void invoke(
      String verb, long field, long second, long third, long fourth, long fifth, long sixth) {
    MemorySegment function = function(field);
    if (function.address() == 0) {
      refuse(Errno.EOPNOTSUPP, "the driver has no function for " + verb);
      return;
    }
    DataPathNative.build(function, qp, second, third, fourth, fifth, sixth);
  }

  /** Counts a request of which nothing can be built; the first refusal of a batch is its error. */
  private void refuseRequest(String why) {
    begin();
    if (refusal == null) {
      refuse(Errno.EINVAL, why);
    }
  }

  private void refuse(int errno, String why) {
    refusal = why;
    refusedErrno = errno;
    refusedBuilder = builders - 1;
  }
}
