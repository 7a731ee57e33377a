package dev.verbena.dropin;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvAh;
import dev.verbena.rdmacore.layout.IbvMr;
import dev.verbena.rdmacore.layout.IbvMw;
import dev.verbena.rdmacore.layout.IbvMwBindInfo;
import java.util.function.IntUnaryOperator;

/**
 * Calls of the extended posting API in any order, with elements and buffers that a program has laid
 * out; for bin/fuzz. Each batch is completed, or refused with a reason; no memory changes but that
 * of a region with the rights for it.
 */
public final class BatchFuzz {
  private static final int MOST_CALLS = 24;
  private static final int BUFFERS = 12;

  /** More than a program may give. */
  private static final int TOO_MANY = 4097;

  private final FuzzMemory memory;
  private final long qp;

  private BatchFuzz(FuzzMemory memory) {
    this.memory = memory;
    qp = memory.oneIn(2) ? FuzzQueues.UD : FuzzQueues.RC;
  }

  /** See the class. */
  public static void fuzzerTestOneInput(byte[] data) {
    new BatchFuzz(new FuzzMemory(data)).run();
  }

  private void run() {
    FuzzQueues.start(qp);
    FuzzQueues.receive(qp);
    int batches = memory.below(3);
    for (int i = 0; i <= batches; i++) {
      FuzzQueues.answer(() -> BatchCalls.wrStart(qp));
      for (int calls = memory.below(MOST_CALLS); calls > 0; calls--) {
        call();
      }
      boolean aborts = memory.oneIn(8);
      FuzzQueues.answer(() -> aborts ? BatchCalls.wrAbort(qp) : BatchCalls.wrComplete(qp));
      FuzzQueues.REGIONS.requireUntouched();
    }
  }

  private void call() {
    long id = memory.next();
    long flags = memory.oneIn(16) ? memory.nextInt() : memory.below(32);
    int what = memory.below(20);
    long[] arguments = arguments(what);
    byte[] before = FuzzMemory.copy();
    try {
      call(what, id, flags, arguments);
    } catch (RuntimeException | Error e) {
      FuzzQueues.requireRefusal(-Attach.failedInBatch(e, qp));
    }
    FuzzMemory.requireUnchanged(before);
  }

  private long[] arguments(int what) {
    return switch (what) {
      case 0, 1 -> operand(2 * Long.BYTES);
      case 2 -> memory.oneIn(16) ? new long[3] : operand(Long.BYTES);
      case 3 -> new long[] {memory.bytes(4 * Long.BYTES), memory.nextInt(), 0};
      case 4 -> window();
      case 5 -> header();
      case 6 -> elements();
      case 7 -> buffer();
      case 8 -> buffers();
      case 9 -> destination();
      case 18 -> place(FuzzQueues.REGIONS::lkey);
      default -> place(FuzzQueues.REGIONS::rkey);
    };
  }

  /** The address of an operand, and a key and an address of the peer. */
  private long[] operand(long bytes) {
    long address = memory.bytes(bytes);
    int key = memory.nextInt();
    long remote = FuzzQueues.REGIONS.address(key, memory.nextLong());
    return new long[] {address, FuzzQueues.REGIONS.rkey(key), remote};
  }

  private long[] destination() {
    long ah = SendListFuzz.object(memory, IbvAh.LAYOUT.size(), IbvAh.HANDLE);
    int number = memory.nextInt();
    int qkey = memory.nextInt();
    return new long[] {ah, FuzzQueues.qpn(number), FuzzQueues.qkey(number, qkey)};
  }

  /** An address, a key, and a number. */
  private long[] place(IntUnaryOperator keyOf) {
    long address = memory.nextLong();
    int key = memory.nextInt();
    int number = memory.nextInt();
    return new long[] {FuzzQueues.REGIONS.address(key, address), keyOf.applyAsInt(key), number};
  }

  private long[] window() {
    long mw = SendListFuzz.object(memory, IbvMw.LAYOUT.size(), IbvMw.HANDLE);
    long info = memory.struct(IbvMwBindInfo.LAYOUT);
    int access = memory.oneIn(4) ? memory.nextInt() : memory.below(32);
    Host.setInt(info + IbvMwBindInfo.MW_ACCESS_FLAGS, access);
    FuzzRegions regions = FuzzQueues.REGIONS;
    long length = Host.getLong(info + IbvMwBindInfo.LENGTH);
    long address = Host.getLong(info + IbvMwBindInfo.ADDR);
    Host.setLong(info + IbvMwBindInfo.ADDR, regions.address(length, address));
    Host.setLong(info + IbvMwBindInfo.LENGTH, regions.length(length, length >>> 8));
    long mr = SendListFuzz.object(memory, IbvMr.LAYOUT.size(), IbvMr.HANDLE);
    Host.setLong(info + IbvMwBindInfo.MR, mr);
    int rkey = memory.nextInt();
    return new long[] {mw, rkey, memory.oneIn(16) ? 0 : info};
  }

  private long[] header() {
    int size = memory.below(FuzzQueues.MOST_TSO_HEADER + 4);
    boolean isRead = size <= FuzzQueues.MOST_TSO_HEADER;
    return new long[] {bytesOrNull(isRead, size), size, memory.nextInt()};
  }

  private long[] elements() {
    int count = memory.count(FuzzQueues.MOST_SGE);
    return new long[] {count, ListFuzz.elements(memory, count, false), 0};
  }

  private long[] buffer() {
    long length = memory.oneIn(8) ? memory.nextLong() : memory.below(FuzzQueues.MOST_INLINE + 4);
    boolean isRead = length >= 0 && length <= FuzzQueues.MOST_INLINE;
    return new long[] {bytesOrNull(isRead, length), length, 0};
  }

  private long bytesOrNull(boolean isRead, long length) {
    long address = isRead ? memory.bytes(length) : memory.wild();
    return memory.oneIn(16) ? 0 : address;
  }

  private long[] buffers() {
    if (memory.oneIn(8)) {
      return new long[] {memory.oneIn(2) ? TOO_MANY : -1, memory.wild(), 0};
    }
    int count = memory.below(BUFFERS);
    if (memory.oneIn(16)) {
      return new long[] {count, 0, 0};
    }
    long list = memory.zeros(count * 2L * Long.BYTES);
    for (int i = 0; i < count; i++) {
      long[] one = buffer();
      Host.setLong(list + i * 2L * Long.BYTES, one[0]);
      Host.setLong(list + i * 2L * Long.BYTES + Long.BYTES, one[1]);
    }
    return new long[] {count, list, 0};
  }

  private void call(int what, long id, long flags, long[] a) {
    switch (what) {
      case 0, 1 -> WrCalls.wrAtomicCmpSwp(qp, id, flags, a[1], a[2], a[0]);
      case 2 -> WrCalls.wrAtomicWrite(qp, id, flags, a[1], a[2], a[0]);
      case 3 -> WrCalls.wrFlush(qp, id, flags, a[1], a[0]);
      case 4 -> WrCalls.wrBindMw(qp, id, flags, a[0], a[1], a[2]);
      case 5 -> WrCalls.wrSendTso(qp, id, flags, a[0], a[1], a[2]);
      case 6 -> WrCalls.wrSetSgeList(qp, a[0], a[1]);
      case 7 -> WrCalls.wrSetInlineData(qp, a[0], a[1]);
      case 8 -> WrCalls.wrSetInlineDataList(qp, a[0], a[1]);
      case 9 -> WrCalls.wrSetUdAddr(qp, a[0], a[1], a[2]);
      case 10 -> WrCalls.wrAtomicFetchAdd(qp, id, flags, a[1], a[0], a[2]);
      case 11 -> WrCalls.wrLocalInv(qp, id, flags, a[1]);
      case 12 -> WrCalls.wrRdmaRead(qp, id, flags, a[1], a[0]);
      case 13 -> WrCalls.wrRdmaWrite(qp, id, flags, a[1], a[0]);
      case 14 -> WrCalls.wrRdmaWriteImm(qp, id, flags, a[1], a[0], a[2]);
      case 15 -> WrCalls.wrSendImm(qp, id, flags, a[2]);
      case 16 -> WrCalls.wrSendInv(qp, id, flags, a[1]);
      case 17 -> WrCalls.wrSetXrcSrqn(qp, a[1]);
      case 18 -> WrCalls.wrSetSge(qp, a[1], a[0], a[2]);
      default -> WrCalls.wrSend(qp, id, flags);
    }
  }
}
