package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.CreateCqFlags;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.WcExFlags;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkQueue;
import dev.verbena.verbs.WqInitAttr;
import dev.verbena.verbs.WqState;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.XrcDomain;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Completion queues with a cursor of the provider over libibverbs. */
final class NativeCursorTest extends NativeTest {
  private static final int TIMES =
      WcExFlags.COMPLETION_TIMESTAMP | WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK;

  private CompletionQueueEx cq;
  private QueuePair qp;
  private MemoryRegion mr;

  /** A queue of which these fields can be read, and a queue pair that is connected to itself. */
  private void open(int fields) {
    cq = context.createCqEx(new CqInitAttrEx(32).wcFlags(fields));
    qp = pd.createQp(QpInitAttr.rc(cq));
    qp.connect(qp.endpoint(), ALL);
    mr = pd.allocMr(64, ALL);
  }

  private void write(long id) {
    qp.postSend(request(id).opcode(WrOpcode.RDMA_WRITE).remoteAddr(mr.addr()).rkey(mr.rkey()));
  }

  private SendWr request(long id) {
    return new SendWr().wrId(id).sendFlags(SendFlags.SIGNALED).sgList(mr.sge(8, 0));
  }

  private void start() {
    until(cq::startPoll);
  }

  private void next() {
    until(cq::nextPoll);
  }

  private static void until(BooleanSupplier found) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!found.getAsBoolean()) {
      assertThat(System.nanoTime()).as("no completion in time").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void theCursorVisitsCompletionsInOrder() {
    open(WcExFlags.STANDARD_FLAGS | TIMES);
    assertThat(cq.startPoll()).isFalse();
    assertThatThrownBy(cq::endPoll).isInstanceOf(IllegalStateException.class);
    long before = System.currentTimeMillis();
    write(1);
    write(2);
    start();
    assertThat(cq.wrId()).isEqualTo(1);
    assertThat(cq.status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(cq.readOpcode()).isEqualTo(WcOpcode.RDMA_WRITE);
    assertThat(cq.readQpNum()).isEqualTo(qp.qpNum());
    assertThat(cq.readCompletionTs()).isNotZero();
    assertThat(cq.readCompletionWallclockNs() / 1_000_000)
        .isBetween(before - DEADLINE.toMillis(), before + DEADLINE.toMillis());
    next();
    assertThat(cq.wrId()).isEqualTo(2);
    assertThat(cq.nextPoll()).isFalse();
    assertThatThrownBy(cq::wrId).hasMessageContaining("without a completion");
    write(3);
    next();
    assertThat(cq.wrId()).isEqualTo(3);
    assertThatThrownBy(cq::startPoll).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> cq.resize(64)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> cq.poll(new WorkCompletion()))
        .isInstanceOf(IllegalStateException.class);
    cq.endPoll();
    assertThat(cq.startPoll()).isFalse();
    cq.resize(64);
    write(4);
    assertThat(await(cq).orThrow().wrId()).isEqualTo(4);
  }

  @Test
  void aSecondThreadDoesNotWaitForTheLockThatTheCursorHolds() throws Exception {
    cq = context.createCqEx(new CqInitAttrEx(32).flags(CreateCqFlags.SINGLE_THREADED));
    qp = pd.createQp(QpInitAttr.rc(cq));
    qp.connect(qp.endpoint(), ALL);
    mr = pd.allocMr(64, ALL);
    write(1);
    write(2);
    start();
    assertThat(cq.wrId()).isEqualTo(1);
    CompletableFuture.runAsync(
            () -> {
              assertErrno(() -> cq.poll(new WorkCompletion()), Errno.EBUSY);
              until(cq::startPoll);
              assertThat(cq.wrId()).isEqualTo(2);
              cq.endPoll();
            })
        .get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    assertThat(cq.poll(new WorkCompletion())).isFalse();
  }

  @Test
  void aCopyHasTheFieldsThatWereAskedFor() {
    open(WcExFlags.BYTE_LEN | WcExFlags.IMM);
    qp.postRecv(new RecvWr().wrId(7).sgList(mr.sge()));
    qp.postSend(request(8).sendFlags(0).opcode(WrOpcode.SEND_WITH_IMM).immData(0x01020304));
    start();
    WorkCompletion wc = cq.read(new WorkCompletion().srcQp(1)).orThrow();
    assertThat(wc.wrId()).isEqualTo(7);
    assertThat(wc.opcode()).isEqualTo(WcOpcode.RECV);
    assertThat(wc.byteLen()).isEqualTo(8);
    assertThat(wc.wcFlags()).isEqualTo(WcFlags.WITH_IMM);
    assertThat(wc.immData()).isEqualTo(0x01020304);
    assertThat(cq.readImmData()).isEqualTo(0x01020304);
    assertThat(wc.srcQp()).isZero();
    assertErrno(cq::readQpNum, Errno.EOPNOTSUPP);
    assertErrno(cq::readCompletionTs, Errno.EOPNOTSUPP);
    cq.endPoll();
    qp.postSend(request(9).opcode(WrOpcode.RDMA_WRITE).sgList(new Sge(mr.addr(), 8, 0)));
    start();
    assertThat(cq.read(wc).status()).isEqualTo(WcStatus.LOC_PROT_ERR);
    assertThat(wc.wrId()).isEqualTo(9);
    assertThat(wc.immData()).isZero();
    assertThat(cq.readVendorErr()).isEqualTo(wc.vendorErr());
    cq.endPoll();
  }

  @Test
  void anotherThreadContinuesOrWaits() throws InterruptedException {
    open(0);
    write(1);
    write(2);
    start();
    AtomicReference<Long> polled = new AtomicReference<>();
    Thread waits = Thread.ofPlatform().start(() -> polled.set(await(cq).wrId()));
    Thread continues =
        Thread.ofPlatform()
            .start(
                () -> {
                  cq.resumePoll();
                  assertThat(cq.wrId()).isEqualTo(1);
                  cq.endPoll();
                });
    assertThat(continues.join(DEADLINE)).isTrue();
    assertThat(waits.join(DEADLINE)).isTrue();
    assertThat(polled.get()).isEqualTo(2);
  }

  @Test
  void aQueuePairCannotBeEndedOrResetUnderTheCursorOfThisThread() {
    open(0);
    write(1);
    write(2);
    start();
    assertThatThrownBy(qp::destroy)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("destroyQp is not allowed between startPoll and endPoll");
    assertThatThrownBy(() -> qp.modify(new QpAttr().qpState(QpState.RESET)))
        .isInstanceOf(IllegalStateException.class);
    next();
    assertThat(cq.wrId()).isEqualTo(2);
    cq.endPoll();
    qp.modify(new QpAttr().qpState(QpState.RESET));
    qp.destroy();
  }

  @Test
  void neitherCanAWorkQueue() {
    open(0);
    WorkQueue wq = context.createWq(new WqInitAttr(pd, cq).maxWr(4).maxSge(1));
    write(1);
    start();
    assertThatThrownBy(wq::destroy).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> wq.modify(WqState.RESET)).isInstanceOf(IllegalStateException.class);
    cq.endPoll();
    wq.destroy();
  }

  @Test
  void neitherCanASharedReceiveQueueWithCompletions() {
    open(0);
    XrcDomain xrcd = context.openXrcd();
    SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.xrc(xrcd, cq, 4, 1));
    write(1);
    start();
    assertThatThrownBy(srq::destroy).isInstanceOf(IllegalStateException.class);
    cq.endPoll();
    srq.destroy();
    xrcd.close();
  }

  @Test
  void closingAQueuePairEndsTheCursorOfThisThread() {
    open(0);
    write(1);
    write(2);
    start();
    qp.close();
    assertThatThrownBy(cq::wrId).hasMessageContaining("without a completion");
    assertThatThrownBy(cq::nextPoll)
        .hasMessageContaining("has ended with a queue pair that this thread closed");
    cq.endPoll();
    assertThat(cq.startPoll()).isTrue();
    assertThat(cq.wrId()).isEqualTo(2);
    cq.endPoll();
  }

  @Test
  void closingTheContextEndsTheReadingOfAnotherThread() throws InterruptedException {
    cq = context.createCqEx(new CqInitAttrEx(4));
    QueuePair posts = pd.createQp(QpInitAttr.rc(cq));
    mr = pd.allocMr(64, ALL);
    posts.connect(posts.endpoint(), ALL);
    qp = posts;
    write(1);
    CountDownLatch reads = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    start();
                    reads.countDown();
                    closed.await();
                    cq.nextPoll();
                  } catch (InterruptedException | RuntimeException e) {
                    thrown.set(e);
                  }
                });
    reads.await();
    context.close();
    closed.countDown();
    assertThat(reader.join(DEADLINE)).isTrue();
    assertThat(thrown.get()).isInstanceOf(ObjectClosedException.class);
    assertThatThrownBy(cq::startPoll).isInstanceOf(ObjectClosedException.class);
    assertThatThrownBy(cq::wrId).isInstanceOf(ObjectClosedException.class);
  }

  /** The adapter makes both of the request's number, with other bits set above. */
  @Test
  void vlanAndFlowTagAreReadOfAnAdapterThatHasThem() {
    open(WcExFlags.CVLAN | WcExFlags.FLOW_TAG);
    assertThatThrownBy(cq::readCvlan).isInstanceOf(IllegalStateException.class);
    write(0x8765_4321_0000_f123L);
    start();
    assertThat(cq.readCvlan()).isEqualTo(0xf123);
    assertThat(cq.readFlowTag()).isEqualTo(0x8765_4321);
    cq.endPoll();
    assertThatThrownBy(cq::readFlowTag).isInstanceOf(IllegalStateException.class);
    open(WcExFlags.STANDARD_FLAGS);
    write(1);
    start();
    assertErrno(cq::readCvlan, Errno.EOPNOTSUPP);
    assertThatThrownBy(cq::readFlowTag)
        .hasMessageContaining("readFlowTag: FLOW_TAG was not requested");
    cq.endPoll();
  }

  @Test
  void whatTheLibraryDoesNotReadIsRefused() {
    CqInitAttrEx tags = new CqInitAttrEx(4).wcFlags(WcExFlags.TM_INFO);
    assertErrno(() -> context.createCqEx(tags), Errno.EOPNOTSUPP);
    assertThatThrownBy(() -> context.createCqEx(tags)).hasMessageContaining("no tag matching");
    assertErrno(() -> context.createCqEx(new CqInitAttrEx(4).wcFlags(1 << 12)), Errno.EOPNOTSUPP);
    assertErrno(() -> context.createCqEx(new CqInitAttrEx(4).flags(1 << 7)), Errno.EOPNOTSUPP);
    assertErrno(() -> context.createCqEx(new CqInitAttrEx(0)), Errno.EINVAL);
    int flags = CreateCqFlags.SINGLE_THREADED | CreateCqFlags.IGNORE_OVERRUN;
    context.createCqEx(new CqInitAttrEx(4).flags(flags)).destroy();
  }

  // Alone: a thread that waits for a guard of the device that all tests share allocates.
  @ResourceLock(Resources.GLOBAL)
  @Test
  void readingWithTheCursorAllocatesNothing() {
    open(WcExFlags.STANDARD_FLAGS | TIMES);
    WorkCompletion wc = new WorkCompletion();
    SendWr wr = request(1).opcode(WrOpcode.RDMA_WRITE).remoteAddr(mr.addr()).rkey(mr.rkey());
    Allocation.assertNone(
        () -> {
          qp.postSend(wr);
          qp.postSend(wr);
          while (!cq.startPoll()) {
            Thread.onSpinWait();
          }
          cq.read(wc);
          cq.readCompletionTs();
          while (!cq.nextPoll()) {
            Thread.onSpinWait();
          }
          cq.read(wc);
          cq.endPoll();
        });
    assertThat(wc.orThrow().opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
  }
}
