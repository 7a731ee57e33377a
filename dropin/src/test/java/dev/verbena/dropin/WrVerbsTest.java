package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvAh;
import dev.verbena.rdmacore.layout.IbvAhAttr;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvCqEx;
import dev.verbena.rdmacore.layout.IbvDataBuf;
import dev.verbena.rdmacore.layout.IbvMr;
import dev.verbena.rdmacore.layout.IbvMw;
import dev.verbena.rdmacore.layout.IbvMwBindInfo;
import dev.verbena.rdmacore.layout.IbvQp;
import dev.verbena.rdmacore.layout.IbvQpEx;
import dev.verbena.rdmacore.layout.IbvSge;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WcExFlags;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the extended posting API and the completion cursor through the pointers in their structs.
 */
final class WrVerbsTest {
  private static final int LENGTH = 64;
  private static final long SIZE_MAX = -1;

  /** Offset in struct ibv_qp_ex since rdma-core 47. */
  private static final long WR_FLUSH = IbvQpEx.LAYOUT.size();

  private static final long PATIENCE = Duration.ofSeconds(60).toNanos();
  private static final int OPS =
      SendOps.SEND
          | SendOps.SEND_WITH_IMM
          | SendOps.RDMA_WRITE
          | SendOps.RDMA_WRITE_WITH_IMM
          | SendOps.RDMA_READ
          | SendOps.ATOMIC_CMP_AND_SWP
          | SendOps.ATOMIC_FETCH_AND_ADD
          | SendOps.BIND_MW;
  private static final int FIELDS =
      WcExFlags.STANDARD_FLAGS
          | WcExFlags.COMPLETION_TIMESTAMP
          | WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK;

  private final Program program = new Program();
  private final long cq = program.cqEx(64, FIELDS);
  private final long mr = program.mr(4 * LENGTH, Program.LOCAL_WRITE | Program.ALL_REMOTE);
  private final long from = Program.addr(mr);
  private final long to = from + LENGTH;
  private final int lkey = Program.lkey(mr);
  private final int rkey = Program.rkey(mr);
  private final long a = program.qpEx(QpType.RC, cq, OPS);
  private final long b = program.qp(QpType.RC, cq);

  WrVerbsTest() {
    program.connect(a, b);
    program.connect(b, a);
  }

  @AfterEach
  void end() {
    program.close();
  }

  @Test
  void eachRequestOfABatchHasItsOwnIdFlagsAndElements() {
    Host.setLong(from, 11);
    Host.setLong(from + 8, 22);
    call(IbvQpEx.WR_START);
    request(1, 0);
    call(IbvQpEx.WR_RDMA_WRITE, rkey, to);
    call(IbvQpEx.WR_SET_SGE, lkey, from, 8);
    request(2, SendFlags.SIGNALED);
    call(IbvQpEx.WR_RDMA_WRITE, rkey, to + 16);
    long list = program.memory(2 * IbvSge.LAYOUT.size());
    sge(list, from + 8);
    sge(list + IbvSge.LAYOUT.size(), from);
    call(IbvQpEx.WR_SET_SGE_LIST, 2, list);
    assertThat(complete()).isZero();

    awaitSuccess(2, WcOpcode.RDMA_WRITE);

    assertThat(Host.getLong(to)).isEqualTo(11);
    assertThat(Host.getLong(to + 16)).isEqualTo(22);
    assertThat(Host.getLong(to + 24)).isEqualTo(11);
  }

  @Test
  void atomicsHaveAllTheirOperands() {
    Host.setLong(to, 7);
    call(IbvQpEx.WR_START);
    request(1, 0);
    call(IbvQpEx.WR_ATOMIC_CMP_SWP, rkey, to, 7, 100);
    call(IbvQpEx.WR_SET_SGE, lkey, from, 8);
    request(2, SendFlags.SIGNALED);
    call(IbvQpEx.WR_ATOMIC_FETCH_ADD, rkey, to, 5);
    call(IbvQpEx.WR_SET_SGE, lkey, from + 8, 8);
    assertThat(complete()).isZero();

    awaitSuccess(2, WcOpcode.FETCH_ADD);

    assertThat(Host.getLong(from)).isEqualTo(7);
    assertThat(Host.getLong(from + 8)).isEqualTo(100);
    assertThat(Host.getLong(to)).isEqualTo(105);
  }

  @Test
  void aFlushByLaterHeadersReachesARangeOrTheWholeRegionIfTheRegionAllowsIt() {
    int global = 1;
    long flushed = program.mr(LENGTH, Access.REMOTE_READ | Access.FLUSH_GLOBAL);
    long flusher = program.qpEx(QpType.RC, cq, SendOps.FLUSH);
    long target = program.qp(QpType.RC, cq);
    program.connect(flusher, target, Access.FLUSH_GLOBAL);
    program.connect(target, flusher, Access.FLUSH_GLOBAL);
    long addr = Program.addr(flushed);
    int key = Program.rkey(flushed);

    flush(flusher, 1, key, addr + 8, LENGTH - 8, global, FlushLevel.RANGE.number());
    awaitSuccess(1, WcOpcode.FLUSH);
    flush(flusher, 2, key, 0, 0, global, FlushLevel.MR.number());
    awaitSuccess(2, WcOpcode.FLUSH);

    Verbs.inline(flusher, IbvQpEx.WR_START, flusher);
    Verbs.inline(flusher, WR_FLUSH, flusher, key, addr, 8, global, 2);
    assertThat((int) Verbs.inline(flusher, IbvQpEx.WR_COMPLETE, flusher)).isEqualTo(Errno.EINVAL);

    flush(flusher, 3, key, addr + 8, LENGTH, global, FlushLevel.RANGE.number());
    await(3, WcStatus.REM_ACCESS_ERR);
  }

  private static void flush(
      long qp, long wrId, int rkey, long addr, long length, int type, int level) {
    Verbs.inline(qp, IbvQpEx.WR_START, qp);
    Host.setLong(qp + IbvQpEx.WR_ID, wrId);
    Host.setInt(qp + IbvQpEx.WR_FLAGS, SendFlags.SIGNALED);
    Verbs.inline(qp, WR_FLUSH, qp, rkey, addr, length, type, level);
    assertThat((int) Verbs.inline(qp, IbvQpEx.WR_COMPLETE, qp)).isZero();
  }

  @Test
  void inlineDataIsGatheredFromSeveralBuffers() {
    long text = program.memory(16);
    Host.setLong(text, 1);
    Host.setLong(text + 8, 2);
    long buffers = program.memory(2 * IbvDataBuf.LAYOUT.size());
    for (int i = 0; i < 2; i++) {
      long each = buffers + i * IbvDataBuf.LAYOUT.size();
      Host.setLong(each + IbvDataBuf.ADDR, text + 8 - i * 8L);
      Host.setLong(each + IbvDataBuf.LENGTH, 8);
    }
    call(IbvQpEx.WR_START);
    request(1, 0);
    call(IbvQpEx.WR_RDMA_WRITE, rkey, to);
    call(IbvQpEx.WR_SET_INLINE_DATA_LIST, 2, buffers);
    request(2, SendFlags.SIGNALED);
    call(IbvQpEx.WR_RDMA_WRITE, rkey, to + 16);
    call(IbvQpEx.WR_SET_INLINE_DATA, text, 16);
    assertThat(complete()).isZero();

    awaitSuccess(2, WcOpcode.RDMA_WRITE);

    assertThat(Host.getLong(to)).isEqualTo(2);
    assertThat(Host.getLong(to + 8)).isEqualTo(1);
    assertThat(Host.getLong(to + 16)).isEqualTo(1);
  }

  @Test
  void anAbortedBatchLeavesNothingBehind() {
    call(IbvQpEx.WR_START);
    request(1, SendFlags.SIGNALED);
    call(IbvQpEx.WR_RDMA_WRITE, rkey, to);
    call(IbvQpEx.WR_SET_SGE, lkey, from, 8);
    call(IbvQpEx.WR_ABORT);

    write(2);
    awaitSuccess(2, WcOpcode.RDMA_WRITE);
  }

  @Test
  void whatWentWrongInABatchIsToldAtItsEndAndNothingIsPosted() {
    call(IbvQpEx.WR_START);
    request(1, SendFlags.SIGNALED);
    call(IbvQpEx.WR_RDMA_WRITE, rkey, to);
    call(IbvQpEx.WR_SET_SGE, lkey, from, 8);
    request(2, SendFlags.SIGNALED);
    call(IbvQpEx.WR_SEND_INV, rkey); // not among OPS
    call(IbvQpEx.WR_SET_SGE, lkey, from, 8);
    assertThat(complete()).isEqualTo(Errno.EOPNOTSUPP);
    assertThat(Verbs.errno()).isEqualTo(Errno.EOPNOTSUPP);

    write(3);
    awaitSuccess(3, WcOpcode.RDMA_WRITE);
  }

  @Test
  void moreInlineDataThanThereIsRoomForIsToldAtTheEnd() {
    call(IbvQpEx.WR_START);
    request(1, SendFlags.SIGNALED);
    call(IbvQpEx.WR_RDMA_WRITE, rkey, to);
    call(IbvQpEx.WR_SET_INLINE_DATA, from, 1L << 40);
    assertThat(complete()).isNotZero();
    write(2);
    awaitSuccess(2, WcOpcode.RDMA_WRITE);
  }

  @Test
  void aBatchWithAWindowThatIsGoneIsRefusedAtItsEnd() {
    long gone = program.struct(IbvMw.LAYOUT);
    Host.setInt(gone + IbvMw.HANDLE, Integer.MAX_VALUE);
    for (long mw : new long[] {gone, 0}) {
      assertRefused(() -> call(IbvQpEx.WR_BIND_MW, mw, 1, program.struct(IbvMwBindInfo.LAYOUT)));
    }
  }

  @Test
  void aBatchThatBindsAWindowToARegionThatIsGoneOrToNothingIsRefusedAtItsEnd() {
    int type2 = 2;
    long mw = Verbs.inline(program.context(), IbvContext.OPS_ALLOC_MW, program.pd(), type2);
    assertThat(mw).isNotZero();
    long gone = program.struct(IbvMr.LAYOUT);
    Host.setInt(gone + IbvMr.HANDLE, Integer.MAX_VALUE);
    long info = program.struct(IbvMwBindInfo.LAYOUT);
    Host.setLong(info + IbvMwBindInfo.MR, gone);
    for (long to : new long[] {info, 0}) {
      assertRefused(() -> call(IbvQpEx.WR_BIND_MW, mw, Host.getInt(mw + IbvMw.RKEY) + 1, to));
    }
    assertThat((int) Verbs.inline(program.context(), IbvContext.OPS_DEALLOC_MW, mw)).isZero();
  }

  @Test
  void inlineDataThatNoProgramHasIsRefusedAtTheEnd() {
    long buffer = program.struct(IbvDataBuf.LAYOUT);
    Host.setLong(buffer + IbvDataBuf.ADDR, from);
    List<Runnable> setters =
        List.of(
            () -> call(IbvQpEx.WR_SET_INLINE_DATA_LIST, Long.MAX_VALUE, buffer),
            () -> call(IbvQpEx.WR_SET_INLINE_DATA_LIST, SIZE_MAX, buffer),
            () -> call(IbvQpEx.WR_SET_INLINE_DATA_LIST, 1, 0),
            () -> call(IbvQpEx.WR_SET_INLINE_DATA, from, SIZE_MAX),
            () -> call(IbvQpEx.WR_SET_INLINE_DATA, from, Long.MAX_VALUE),
            () -> call(IbvQpEx.WR_SET_INLINE_DATA, SIZE_MAX - 8, 8),
            () -> call(IbvQpEx.WR_SET_SGE_LIST, 3, Long.MIN_VALUE),
            () -> call(IbvQpEx.WR_SET_SGE_LIST, SIZE_MAX, buffer),
            () -> call(IbvQpEx.WR_SET_SGE_LIST, Long.MAX_VALUE, buffer));
    for (Runnable setter : setters) {
      assertRefused(() -> writeWith(setter));
    }
    for (long length : new long[] {SIZE_MAX, Long.MAX_VALUE, 1 << 20}) {
      Host.setLong(buffer + IbvDataBuf.LENGTH, length);
      assertRefused(() -> writeWith(() -> call(IbvQpEx.WR_SET_INLINE_DATA_LIST, 1, buffer)));
    }
    Host.setLong(buffer + IbvDataBuf.ADDR, SIZE_MAX - 8);
    Host.setLong(buffer + IbvDataBuf.LENGTH, 8);
    assertRefused(() -> writeWith(() -> call(IbvQpEx.WR_SET_INLINE_DATA_LIST, 1, buffer)));
  }

  @Test
  void anAtomicWriteWithoutAValueIsRefusedAtItsEnd() {
    assertRefused(() -> call(IbvQpEx.WR_ATOMIC_WRITE, rkey, to, 0));
  }

  @Test
  void aRefusalIsForgottenWithItsBatch() {
    call(IbvQpEx.WR_START);
    call(IbvQpEx.WR_SET_INLINE_DATA_LIST, SIZE_MAX, 0);
    call(IbvQpEx.WR_ABORT);
    write(1);
    awaitSuccess(1, WcOpcode.RDMA_WRITE);
  }

  @Test
  void aBatchMayBeBegunByAnotherThreadThanThatWhichEndsIt() {
    elsewhere(() -> call(IbvQpEx.WR_START));
    writeWith(() -> call(IbvQpEx.WR_SET_SGE, lkey, from, 8));
    assertThat(complete()).isZero();
    awaitSuccess(1, WcOpcode.RDMA_WRITE);
    elsewhere(() -> write(2));
    awaitSuccess(2, WcOpcode.RDMA_WRITE);
  }

  @Test
  void aCursorMayBeStartedByAnotherThreadThanThatWhichEndsIt() {
    write(1);
    long end = System.nanoTime() + PATIENCE;
    int[] result = {Errno.ENOENT};
    while (result[0] != 0 && System.nanoTime() < end) {
      elsewhere(() -> result[0] = startPoll());
    }
    assertThat(Host.getLong(cq + IbvCqEx.WR_ID)).isEqualTo(1);
    assertThat((int) Verbs.inline(cq, IbvCqEx.NEXT_POLL, cq)).isEqualTo(Errno.ENOENT);
    Verbs.inline(cq, IbvCqEx.END_POLL, cq);
    elsewhere(() -> result[0] = startPoll());
    assertThat(result[0]).isEqualTo(Errno.ENOENT);
  }

  @Test
  void aQueuePairMayEndWithABatchThatAnotherThreadHasBegun() {
    long other = program.qpEx(QpType.RC, cq, OPS);
    elsewhere(() -> Verbs.inline(other, IbvQpEx.WR_START, other));
  }

  private static void elsewhere(Runnable action) {
    CompletableFuture.runAsync(action, command -> Thread.ofPlatform().start(command)).join();
  }

  @Test
  void aBatchThatNobodyBeganEndsWithAnError() {
    assertThat(complete()).isEqualTo(Errno.EINVAL);
  }

  @Test
  void theCursorReadsEveryFieldOfAReceive() {
    long bad = program.memory(8);
    assertThat(program.postRecv(b, program.recvWr(7, program.sge(mr, LENGTH, LENGTH)), bad))
        .isZero();
    call(IbvQpEx.WR_START);
    request(8, 0);
    call(IbvQpEx.WR_SEND_IMM, 0x78563412);
    call(IbvQpEx.WR_SET_SGE, lkey, from, 24);
    assertThat(complete()).isZero();

    awaitSuccess(7, WcOpcode.RECV);

    long first = read(IbvCqEx.READ_COMPLETION_TS);
    assertThat((int) read(IbvCqEx.READ_BYTE_LEN)).isEqualTo(24);
    assertThat((int) read(IbvCqEx.READ_IMM_DATA)).isEqualTo(0x78563412);
    assertThat((int) read(IbvCqEx.READ_QP_NUM)).isEqualTo(Program.qpNum(b));
    assertThat((int) read(IbvCqEx.READ_WC_FLAGS)).isEqualTo(WcFlags.WITH_IMM);
    assertThat((int) read(IbvCqEx.READ_VENDOR_ERR)).isZero();
    assertThat((int) read(IbvCqEx.READ_SLID)).isZero();
    assertThat((int) read(IbvCqEx.READ_SL) & 0xff).isZero();
    assertThat((int) read(IbvCqEx.READ_DLID_PATH_BITS) & 0xff).isZero();
    long wallClock = read(IbvCqEx.READ_COMPLETION_WALLCLOCK_NS);
    long now = System.currentTimeMillis() * 1_000_000;
    assertThat(wallClock).isBetween(now - PATIENCE, now + PATIENCE);

    write(9);
    awaitSuccess(9, WcOpcode.RDMA_WRITE);
    assertThat(read(IbvCqEx.READ_COMPLETION_TS)).isGreaterThan(first);
  }

  @Test
  void theCursorGoesFromOneCompletionToTheNextUntilEnoent() {
    write(1);
    write(2);
    long end = System.nanoTime() + PATIENCE;
    long next = 1;
    while (next <= 2 && System.nanoTime() < end) {
      int result = startPoll();
      if (result == 0) {
        do {
          assertThat(Host.getLong(cq + IbvCqEx.WR_ID)).isEqualTo(next++);
          result = (int) Verbs.inline(cq, IbvCqEx.NEXT_POLL, cq);
        } while (result == 0);
        Verbs.inline(cq, IbvCqEx.END_POLL, cq);
      }
      assertThat(result).isEqualTo(Errno.ENOENT);
    }
    assertThat(next).isEqualTo(3);
    assertThat(startPoll()).isEqualTo(Errno.ENOENT);
  }

  @Test
  void anAttributeOfPollingThatNobodyHasIsEinval() {
    long attr = program.memory(4);
    Host.setInt(attr, 1);
    assertThat((int) Verbs.inline(cq, IbvCqEx.START_POLL, cq, attr)).isEqualTo(Errno.EINVAL);
  }

  @Test
  void datagramsAreAddressedOneByOne() {
    long ud = program.qpEx(QpType.UD, cq, SendOps.SEND);
    toRts(ud);
    long attr = program.struct(IbvAhAttr.LAYOUT);
    program.route(attr);
    long ah = program.made(Verbs.call("ibv_create_ah", program.pd(), attr), "ibv_destroy_ah");
    long recv = program.recvWr(1, program.sge(mr, LENGTH, 3 * LENGTH));
    assertThat(program.postRecv(ud, recv, program.memory(8))).isZero();
    Verbs.inline(ud, IbvQpEx.WR_START, ud);
    Host.setLong(ud + IbvQpEx.WR_ID, 2);
    Host.setInt(ud + IbvQpEx.WR_FLAGS, 0);
    Verbs.inline(ud, IbvQpEx.WR_SEND, ud);
    Verbs.inline(ud, IbvQpEx.WR_SET_UD_ADDR, ud, ah, Program.qpNum(ud), 0x11111111);
    Verbs.inline(ud, IbvQpEx.WR_SET_SGE, ud, lkey, from, 8);
    assertThat((int) Verbs.inline(ud, IbvQpEx.WR_COMPLETE, ud)).isZero();

    awaitSuccess(1, WcOpcode.RECV);

    assertThat((int) read(IbvCqEx.READ_BYTE_LEN)).isEqualTo(48);
    assertThat((int) read(IbvCqEx.READ_SRC_QP)).isEqualTo(Program.qpNum(ud));
    assertThat((int) read(IbvCqEx.READ_WC_FLAGS) & WcFlags.GRH).isEqualTo(WcFlags.GRH);
  }

  @Test
  void aDatagramToAnAddressThatIsGoneIsRefusedAtTheEnd() {
    long ud = program.qpEx(QpType.UD, cq, SendOps.SEND);
    toRts(ud);
    long gone = program.struct(IbvAh.LAYOUT);
    Host.setInt(gone + IbvAh.HANDLE, Integer.MAX_VALUE);
    Verbs.inline(ud, IbvQpEx.WR_START, ud);
    Verbs.inline(ud, IbvQpEx.WR_SEND, ud);
    Verbs.inline(ud, IbvQpEx.WR_SET_UD_ADDR, ud, gone, Program.qpNum(ud), 0x11111111);
    Verbs.inline(ud, IbvQpEx.WR_SET_SGE, ud, lkey, from, 8);
    assertThat((int) Verbs.inline(ud, IbvQpEx.WR_COMPLETE, ud)).isEqualTo(Errno.EINVAL);
  }

  /**
   * Asserts that of a batch with a good request, this one, and another good one, nothing is posted.
   */
  private void assertRefused(Runnable build) {
    call(IbvQpEx.WR_START);
    writeWith(() -> call(IbvQpEx.WR_SET_SGE, lkey, from, 8));
    build.run();
    writeWith(() -> call(IbvQpEx.WR_SET_SGE, lkey, from, 8));
    assertThat(complete()).isEqualTo(Errno.EINVAL);
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    write(2);
    awaitSuccess(2, WcOpcode.RDMA_WRITE);
  }

  private void writeWith(Runnable setter) {
    request(1, SendFlags.SIGNALED);
    call(IbvQpEx.WR_RDMA_WRITE, rkey, to);
    setter.run();
  }

  private void toRts(long ud) {
    program.udToRts(ud, 0x11111111);
    assertThat(Host.getInt(ud + IbvQp.STATE)).isEqualTo(3);
  }

  private void write(long wrId) {
    call(IbvQpEx.WR_START);
    request(wrId, SendFlags.SIGNALED);
    call(IbvQpEx.WR_RDMA_WRITE, rkey, to);
    call(IbvQpEx.WR_SET_SGE, lkey, from, 8);
    assertThat(complete()).isZero();
  }

  private void request(long wrId, int flags) {
    Host.setLong(a + IbvQpEx.WR_ID, wrId);
    Host.setInt(a + IbvQpEx.WR_FLAGS, flags);
  }

  private void sge(long sge, long addr) {
    Host.setLong(sge + IbvSge.ADDR, addr);
    Host.setInt(sge + IbvSge.LENGTH, 8);
    Host.setInt(sge + IbvSge.LKEY, lkey);
  }

  private void call(long builder, long... arguments) {
    long[] all = new long[arguments.length + 1];
    all[0] = a;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    Verbs.inline(a, builder, all);
  }

  private int complete() {
    return (int) Verbs.inline(a, IbvQpEx.WR_COMPLETE, a);
  }

  private int startPoll() {
    return (int) Verbs.inline(cq, IbvCqEx.START_POLL, cq, program.memory(4));
  }

  private long read(long reader) {
    return Verbs.inline(cq, reader, cq);
  }

  /** Waits for the next completion, which must be this one; afterwards its fields can be read. */
  private void awaitSuccess(long wrId, WcOpcode opcode) {
    await(wrId, WcStatus.SUCCESS);
    assertThat((int) read(IbvCqEx.READ_OPCODE)).isEqualTo(opcode.number());
  }

  private void await(long wrId, WcStatus status) {
    long end = System.nanoTime() + PATIENCE;
    int result = startPoll();
    while (result != 0 && System.nanoTime() < end) {
      assertThat(result).isEqualTo(Errno.ENOENT);
      result = startPoll();
    }
    assertThat(result).isZero();
    assertThat(Host.getInt(cq + IbvCqEx.STATUS)).isEqualTo(status.number());
    assertThat(Host.getLong(cq + IbvCqEx.WR_ID)).isEqualTo(wrId);
    Verbs.inline(cq, IbvCqEx.END_POLL, cq);
  }
}
