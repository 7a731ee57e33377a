package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvCqEx;
import dev.verbena.rdmacore.layout.IbvDataBuf;
import dev.verbena.rdmacore.layout.IbvQpEx;
import dev.verbena.rdmacore.layout.IbvWc;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WcExFlags;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The calls of the data path allocate nothing once they are warm. They run alone, because a thread
 * that waits for a guard of the device that all tests share allocates its place in the queue.
 */
@Isolated
final class DropInAllocationTest {
  private static final int LENGTH = 64;

  private final Program program = new Program();
  private final long wc = program.memory(2 * IbvWc.LAYOUT.size());
  private final long bad = program.memory(Long.BYTES);
  private final long mr = program.mr(2 * LENGTH, Program.LOCAL_WRITE | Program.ALL_REMOTE);
  private final MemorySegment pollCq = operation(IbvContext.OPS_POLL_CQ);
  private final MemorySegment postSend = operation(IbvContext.OPS_POST_SEND);
  private final MemorySegment postRecv = operation(IbvContext.OPS_POST_RECV);

  private int failed;

  @AfterEach
  void end() {
    program.close();
  }

  @Test
  void aPollInVainAllocatesNothing() {
    long cq = program.cq(16);
    assertNoneAllocated(() -> CLibraryNative.invoke(pollCq, cq, 1, wc, 0, 0, 0));
  }

  @Test
  void aSendAReceiveAndTheirCompletionsAllocateNothing() {
    long cq = program.cq(16);
    long a = program.qp(QpType.RC, cq);
    long b = program.qp(QpType.RC, cq);
    program.connect(a, b);
    program.connect(b, a);
    long recv = program.recvWr(1, program.sge(mr, LENGTH, LENGTH));
    long send =
        program.sendWr(2, WrOpcode.SEND.number(), SendFlags.SIGNALED, program.sge(mr, 0, LENGTH));
    assertNoneAllocated(
        () -> {
          CLibraryNative.invoke(postRecv, b, recv, bad, 0, 0, 0);
          CLibraryNative.invoke(postSend, a, send, bad, 0, 0, 0);
          pollTwo(cq);
        });
  }

  @Test
  void theExtendedInterfacesAllocateNothing() {
    long cq = program.cqEx(16, WcExFlags.STANDARD_FLAGS | WcExFlags.COMPLETION_TIMESTAMP);
    long a = program.qpEx(QpType.RC, cq, SendOps.RDMA_WRITE);
    long b = program.qp(QpType.RC, cq);
    program.connect(a, b);
    program.connect(b, a);
    MemorySegment start = function(a, IbvQpEx.WR_START);
    MemorySegment write = function(a, IbvQpEx.WR_RDMA_WRITE);
    MemorySegment sge = function(a, IbvQpEx.WR_SET_SGE);
    MemorySegment complete = function(a, IbvQpEx.WR_COMPLETE);
    MemorySegment startPoll = function(cq, IbvCqEx.START_POLL);
    MemorySegment endPoll = function(cq, IbvCqEx.END_POLL);
    long from = Program.addr(mr);
    int lkey = Program.lkey(mr);
    int rkey = Program.rkey(mr);
    long attr = program.memory(Long.BYTES);
    assertNoneAllocated(
        () -> {
          CLibraryNative.invoke(start, a, 0, 0, 0, 0, 0);
          Host.setInt(a + IbvQpEx.WR_FLAGS, SendFlags.SIGNALED);
          CLibraryNative.invoke(write, a, rkey, from + LENGTH, 0, 0, 0);
          CLibraryNative.invoke(sge, a, lkey, from, LENGTH, 0, 0);
          CLibraryNative.invoke(complete, a, 0, 0, 0, 0, 0);
          while ((int) CLibraryNative.invoke(startPoll, cq, attr, 0, 0, 0, 0) != 0) {
            Thread.onSpinWait();
          }
          failed |= Host.getInt(cq + IbvCqEx.STATUS);
          CLibraryNative.invoke(endPoll, cq, 0, 0, 0, 0, 0);
        });
  }

  /** The batch is aborted, so that only building it is measured. */
  @Test
  void inlineDataOfSeveralBuffersAllocatesNothing() {
    long a = program.qpEx(QpType.RC, program.cq(16), SendOps.SEND);
    MemorySegment start = function(a, IbvQpEx.WR_START);
    MemorySegment send = function(a, IbvQpEx.WR_SEND);
    MemorySegment inline = function(a, IbvQpEx.WR_SET_INLINE_DATA_LIST);
    MemorySegment abort = function(a, IbvQpEx.WR_ABORT);
    long buffers = program.memory(2 * IbvDataBuf.LAYOUT.size());
    for (long each = buffers;
        each <= buffers + IbvDataBuf.LAYOUT.size();
        each += IbvDataBuf.LAYOUT.size()) {
      Host.setLong(each + IbvDataBuf.ADDR, Program.addr(mr));
      Host.setLong(each + IbvDataBuf.LENGTH, 8);
    }
    assertNoneAllocated(
        () -> {
          CLibraryNative.invoke(start, a, 0, 0, 0, 0, 0);
          CLibraryNative.invoke(send, a, 0, 0, 0, 0, 0);
          CLibraryNative.invoke(inline, a, 2, buffers, 0, 0, 0);
          CLibraryNative.invoke(abort, a, 0, 0, 0, 0, 0);
        });
  }

  private void pollTwo(long cq) {
    int found = 0;
    while (found < 2) {
      int more = (int) CLibraryNative.invoke(pollCq, cq, 2 - found, wc, 0, 0, 0);
      for (int i = 0; i < more; i++) {
        failed |= Host.getInt(wc + i * IbvWc.LAYOUT.size() + IbvWc.STATUS);
      }
      found += more;
    }
  }

  private void assertNoneAllocated(Runnable round) {
    Allocation.assertNone(round);
    assertThat(failed).as("bits of the statuses").isZero();
  }

  private MemorySegment operation(long offset) {
    return function(program.context(), offset);
  }

  private static MemorySegment function(long struct, long offset) {
    return MemorySegment.ofAddress(Host.getLong(struct + offset));
  }
}
