package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.DeviceCapEx;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RawPacketCaps;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqAttr;
import dev.verbena.verbs.SrqAttrMask;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * The provider over libibverbs, over the library of this build, over the software device, in one
 * process: a mistake in a layout shows at once.
 */
final class NativeProviderTest extends NativeTest {
  private static final int QKEY = 0x1111_1111;

  @Test
  void answersQueriesAsTheDeviceBelow() {
    try (Context below = Devices.open(Verbs.DEVICE)) {
      assertThat(device().guid()).isEqualTo(below.device().guid());
      assertThat(device().name()).isEqualTo(below.device().name());
      assertThat(context.queryDevice()).isEqualTo(below.queryDevice());
      assertThat(context.queryDeviceEx())
          .usingRecursiveComparison()
          .ignoringFields(
              "deviceCapFlagsEx", "rawPacketCaps", "maxDmSize", "odpCaps", "packetPacingCaps")
          .isEqualTo(below.queryDeviceEx());
      // For programs in Java only.
      assertThat(context.queryDeviceEx().deviceCapFlagsEx())
          .isEqualTo(below.queryDeviceEx().deviceCapFlagsEx() & ~DeviceCapEx.FLUSH_PERSISTENT);
      assertThat(context.queryDeviceEx().rawPacketCaps())
          .isEqualTo(below.queryDeviceEx().rawPacketCaps() & ~RawPacketCaps.DELAY_DROP);
      assertThat(context.queryPort(1)).isEqualTo(below.queryPort(1));
      assertThat(context.queryGid(1, 0)).isEqualTo(below.queryGid(1, 0));
      assertThat(context.queryGidEx(1, 0)).isEqualTo(below.queryGidEx(1, 0));
      assertThat(context.queryGidTable()).isEqualTo(below.queryGidTable());
      assertThat(context.queryPkey(1, 0)).isEqualTo(0xffff);
      assertThat(context.getPkeyIndex(1, 0xffff)).isZero();
      assertThat(context.numCompVectors()).isEqualTo(below.numCompVectors());
    }
  }

  @Test
  void countsNothingWhereTheKernelKnowsNoDevice() {
    assertThat(context.counters().snapshot()).isEmpty();
    assertErrno(() -> context.counters().get(Counter.PACKETS_SENT), Errno.EOPNOTSUPP);
    QueuePair qp = pd.createQp(QpInitAttr.rc(context.createCq(1)));
    assertErrno(qp::counters, Errno.EOPNOTSUPP);
  }

  @Test
  void refusesPortsAndEntriesThatDoNotExist() {
    assertErrno(() -> context.queryPort(0), Errno.EINVAL);
    assertErrno(() -> context.queryPort(2), Errno.EINVAL);
    assertErrno(() -> context.queryGid(1, 1000), Errno.EINVAL);
    assertErrno(() -> context.queryGidEx(1, 5), Errno.ENODATA);
    assertErrno(() -> context.getPkeyIndex(1, 0x1234), Errno.ENOENT);
  }

  @Test
  void namesThatOnlyTheSoftwareDeviceHasAreItsOwn() {
    device();
    try (Context soft = Devices.open(Verbs.DEVICE)) {
      assertThat(soft.device().spec().name()).isEqualTo("soft");
    }
    assertThatThrownBy(() -> Devices.open("rdmacore:nobody"))
        .hasMessageContaining("'nobody'")
        .hasMessageContaining(device().name());
    assertErrno(() -> Devices.open(device().spec().option("link", "udp")), Errno.EINVAL);
  }

  @Test
  void writesReadsSendsAndAddsOnAConnection() {
    try (Pair pair = new Pair()) {
      pair.put("hello");
      MemoryRegion to = pair.right.mr();
      for (WrOpcode opcode :
          new WrOpcode[] {WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ, WrOpcode.ATOMIC_FETCH_AND_ADD}) {
        pair.left
            .qp()
            .postSend(
                new SendWr()
                    .wrId(opcode.number())
                    .opcode(opcode)
                    .sendFlags(SendFlags.SIGNALED)
                    .sgList(pair.left.mr().sge(8, opcode == WrOpcode.RDMA_WRITE ? 0 : 64))
                    .remoteAddr(to.addr())
                    .rkey(to.rkey())
                    .compareAdd(1));
        WorkCompletion wc = await(pair.left.cq());
        assertThat(wc.status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(wc.opcode()).isEqualTo(opcode.completion());
        assertThat(wc.wrId()).isEqualTo(opcode.number());
        assertThat(wc.qpNum()).isEqualTo(pair.left.qp().qpNum());
      }
      assertThat(text(to, 1)).isEqualTo("ello");
      assertThat(text(pair.left.mr(), 64)).isEqualTo("hello");
    }
  }

  @Test
  void immediateDataAndInlineDataArrive() {
    try (Pair pair = new Pair()) {
      pair.right.qp().postRecv(new RecvWr().wrId(7).sgList(pair.right.mr().sge()));
      MemorySegment inline = MemorySegment.ofArray("inline".getBytes(StandardCharsets.UTF_8));
      pair.left
          .qp()
          .postSend(
              new SendWr()
                  .opcode(WrOpcode.SEND_WITH_IMM)
                  .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE)
                  .immData(0x01020304)
                  .sgList(Sge.of(inline)));
      WorkCompletion wc = await(pair.right.cq());
      assertThat(wc.orThrow().wrId()).isEqualTo(7);
      assertThat(wc.opcode()).isEqualTo(WcOpcode.RECV);
      assertThat(wc.byteLen()).isEqualTo(6);
      assertThat(wc.immData()).isEqualTo(0x01020304);
      assertThat(text(pair.right.mr(), 0)).isEqualTo("inline");
      assertThat(await(pair.left.cq()).isSuccess()).isTrue();
    }
  }

  @Test
  void longListsArePostedUpToTheRequestThatIsRefused() {
    try (Pair pair = new Pair()) {
      SendWr first = null;
      for (int i = 39; i >= 0; i--) {
        Sge sge = i == 30 ? Sge.of(MemorySegment.ofArray(new byte[1])) : pair.left.mr().sge(1, 0);
        first =
            new SendWr()
                .wrId(i)
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .remoteAddr(pair.right.mr().addr())
                .rkey(pair.right.mr().rkey())
                .sgList(sge)
                .next(first);
      }
      SendWr list = first;
      assertThatThrownBy(() -> pair.left.qp().postSend(list))
          .isInstanceOfSatisfying(
              WorkRequestException.class,
              e -> {
                assertThat(e.index()).isEqualTo(30);
                assertThat(e.badSendWr().wrId()).isEqualTo(30);
              });
      for (int i = 0; i < 30; i++) {
        assertThat(await(pair.left.cq()).wrId()).isEqualTo(i);
      }
      assertThat(pair.left.cq().poll(new WorkCompletion())).isFalse();
    }
  }

  @Test
  void whatTheLibraryRefusesNamesTheRequest() {
    try (Pair pair = new Pair()) {
      RecvWr second = new RecvWr().wrId(2).sgList(pair.right.mr().sge()).next(null);
      RecvWr first = new RecvWr().wrId(1).sgList(pair.right.mr().sge()).next(second);
      int most = pair.right.qp().queryInit().maxRecvWr();
      for (int i = 0; i < most - 1; i++) {
        pair.right.qp().postRecv(new RecvWr().sgList(pair.right.mr().sge()));
      }
      assertThatThrownBy(() -> pair.right.qp().postRecv(first))
          .isInstanceOfSatisfying(
              WorkRequestException.class,
              e -> {
                assertThat(e.errno()).isEqualTo(Errno.ENOMEM);
                assertThat(e.index()).isEqualTo(1);
                assertThat(e.badRecvWr()).isSameAs(second);
                assertThat(e)
                    .hasMessageContaining(
                        pair.right.qp()
                            + ", wr_id 2, request 2 of the list: there is no room, with"
                            + " max_recv_wr="
                            + most);
              });
    }
  }

  /** They should return the error number. */
  @Test
  void driversThatReturnMinusOneOrANegativeNumberAreUnderstood() {
    long oldWrId = 0x01dd1d;
    int oldCqe = 77;
    try (Pair pair = new Pair()) {
      QueuePairEx qp = pair.left.qp().toQpEx();
      MemoryRegion to = pair.right.mr();
      SendWr send = pair.request(to.rkey(), to.addr()).wrId(oldWrId);
      assertErrno(() -> qp.postSend(send), Errno.ENODEV);
      RecvWr recv = new RecvWr().wrId(oldWrId).sgList(pair.left.mr().sge());
      assertErrno(() -> qp.postRecv(recv), Errno.ENODEV);
      qp.wrStart();
      qp.wrId(oldWrId);
      qp.wrRdmaWrite(to.rkey(), to.addr());
      qp.wrSetSge(pair.left.mr().lkey(), pair.left.mr().addr(), 8);
      assertErrno(qp::wrComplete, Errno.ENODEV);
      CompletionQueue cq = context.createCq(oldCqe);
      assertThat(cq.cqe()).isEqualTo(oldCqe);
      assertErrno(cq::reqNotify, Errno.ENODEV);
      assertThat(pair.write(to.rkey(), to.addr())).isEqualTo(WcStatus.SUCCESS);
    }
  }

  @Test
  void aSecondSetterIsRefusedBeforeTheCall() {
    try (Pair pair = new Pair()) {
      QueuePairEx qp = pair.left.qp().toQpEx();
      MemoryRegion from = pair.left.mr();
      List<Consumer<QueuePairEx>> setters =
          List.of(
              batch -> batch.wrSetSge(from.lkey(), from.addr(), 8),
              batch -> batch.wrSetSgeList(from.sge(8, 0)),
              batch -> batch.wrSetInlineData(from.memory().asSlice(0, 8)),
              batch -> batch.wrSetInlineDataList(from.memory().asSlice(0, 8)));
      for (Consumer<QueuePairEx> first : setters) {
        for (Consumer<QueuePairEx> second : setters) {
          qp.wrStart();
          qp.wrRdmaWrite(pair.right.mr().rkey(), pair.right.mr().addr());
          first.accept(qp);
          qp.wrRdmaWrite(pair.right.mr().rkey(), pair.right.mr().addr());
          first.accept(qp);
          second.accept(qp);
          assertThatThrownBy(qp::wrComplete)
              .isInstanceOfSatisfying(
                  WorkRequestException.class, e -> assertThat(e.index()).isEqualTo(1))
              .hasMessageContaining("the data of this work request has already been set");
        }
      }
    }
    QueuePairEx ud = pd.createQpEx(QpInitAttr.ud(context.createCq(4)).sendOps(SendOps.SEND));
    ud.toRts(QKEY);
    AddressHandle ah = pd.createAh(AhAttr.to(ud.endpoint()));
    ud.wrStart();
    ud.wrSend();
    ud.wrSetUdAddr(ah, ud.qpNum(), QKEY);
    ud.wrSetSgeList();
    ud.wrSetUdAddr(ah, ud.qpNum(), QKEY);
    assertThatThrownBy(ud::wrComplete)
        .hasMessageContaining("the destination of this work request has already been set");
  }

  @Test
  void refusalsNameTheObjectTheValueAndTheLimit() {
    int ports = context.queryDevice().physPortCnt();
    assertThatThrownBy(() -> context.queryPort(300))
        .hasMessageContaining("port 300 does not exist: the context of " + context.device().name())
        .hasMessageContaining("has ports 1 to " + ports);
    assertThatThrownBy(() -> context.queryPort(2)).hasMessageContaining("has ports 1 to " + ports);
    assertThatThrownBy(() -> context.queryGid(1, 1000))
        .hasMessageContaining("GID index 1000 of port 1 of the context of ");
    String most = "max_cqe=" + context.queryDevice().maxCqe();
    assertThatThrownBy(() -> context.createCq(0))
        .hasMessageContaining("cqe=0")
        .hasMessageContaining(most);
    assertThatThrownBy(() -> context.createCq(Integer.MAX_VALUE))
        .hasMessageContaining("cqe=2147483647")
        .hasMessageContaining(most);
    CompletionQueue cq = context.createCq(4);
    assertThatThrownBy(() -> cq.modify(70_000, 0))
        .hasMessageContaining(cq + ": cq_count=70000 is not in 0 to 65535");
    assertThatThrownBy(() -> cq.ackEvents(1))
        .hasMessageContaining("1 event of " + cq)
        .hasMessageContaining("0 were taken");
    QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
    assertThatThrownBy(() -> qp.detachMcast(Gid.parse("239.66.0.1")))
        .hasMessageContaining(qp + " is not in the group");
    assertThatThrownBy(() -> Devices.open(device().spec().option("link", "udp")))
        .hasMessageContaining("without options; this has link");
  }

  @Test
  void aBatchBuildsRequestsByTheFunctionsOfTheQueuePair() {
    try (Pair pair = new Pair()) {
      QueuePairEx qp = pair.left.qp().toQpEx();
      MemoryRegion from = pair.left.mr();
      MemoryRegion to = pair.right.mr();
      pair.put("a batch");
      MemorySegment inline = MemorySegment.ofArray("inline".getBytes(StandardCharsets.UTF_8));
      qp.wrStart();
      qp.wrId(1).wrFlags(SendFlags.SIGNALED);
      qp.wrRdmaWrite(to.rkey(), to.addr());
      qp.wrSetSge(from.lkey(), from.addr(), 8);
      qp.wrId(2);
      qp.wrRdmaWrite(to.rkey(), to.addr() + 64);
      qp.wrSetSgeList(from.sge(2, 0), from.sge(6, 2));
      qp.wrId(3);
      qp.wrRdmaWrite(to.rkey(), to.addr() + 128);
      qp.wrSetInlineDataList(inline, inline);
      qp.wrId(4);
      qp.wrAtomicFetchAdd(to.rkey(), to.addr() + 192, 5);
      qp.wrSetSge(from.lkey(), from.addr() + 64, 8);
      assertThat(pair.left.cq().poll(new WorkCompletion())).isFalse();
      qp.wrComplete();
      for (int i = 1; i <= 4; i++) {
        assertThat(await(pair.left.cq()).orThrow().wrId()).isEqualTo(i);
      }
      assertThat(text(to, 0)).isEqualTo("a batch");
      assertThat(text(to, 64)).isEqualTo("a batch");
      assertThat(text(to, 128)).isEqualTo("inlineinline");
      assertThat(to.memory().get(ValueLayout.JAVA_LONG, 192)).isEqualTo(5);
    }
  }

  @Test
  void aBatchThatIsRefusedPostsNothing() {
    try (Pair pair = new Pair()) {
      QueuePairEx qp = pair.left.qp().toQpEx();
      MemoryRegion to = pair.right.mr();
      qp.wrStart();
      assertThatThrownBy(qp::wrStart).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> qp.postSend(null)).isInstanceOf(IllegalStateException.class);
      qp.wrFlags(SendFlags.SIGNALED);
      qp.wrRdmaWrite(to.rkey(), to.addr());
      qp.wrSetSge(pair.left.mr().lkey(), pair.left.mr().addr(), 8);
      qp.wrSendInv(1);
      qp.wrSetSge(pair.left.mr().lkey(), pair.left.mr().addr(), 8);
      assertThatThrownBy(qp::wrComplete)
          .isInstanceOfSatisfying(
              WorkRequestException.class,
              e -> {
                assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP);
                assertThat(e.index()).isEqualTo(1);
              });
      qp.wrStart();
      qp.wrSetSge(0, 0, 0);
      assertThatThrownBy(qp::wrComplete).hasMessageContaining("without a work request");
      qp.wrStart();
      qp.wrRdmaWrite(to.rkey(), to.addr());
      qp.wrAbort();
      assertThatThrownBy(qp::wrComplete).isInstanceOf(IllegalStateException.class);
      qp.postSend(
          new SendWr()
              .wrId(9)
              .opcode(WrOpcode.RDMA_WRITE)
              .sendFlags(SendFlags.SIGNALED)
              .remoteAddr(to.addr())
              .rkey(to.rkey()));
      assertThat(await(pair.left.cq()).orThrow().wrId()).isEqualTo(9);
    }
  }

  // Alone: a thread that waits for a guard of the device that all tests share allocates.
  @ResourceLock(Resources.GLOBAL)
  @Test
  void postingAndPollingAllocateNothing() {
    try (Pair pair = new Pair()) {
      QueuePairEx qp = pair.left.qp().toQpEx();
      MemoryRegion from = pair.left.mr();
      MemoryRegion to = pair.right.mr();
      RecvWr recv = new RecvWr().sgList(to.sge(8, 0));
      SendWr send =
          new SendWr()
              .opcode(WrOpcode.SEND)
              .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE)
              .sgList(from.sge(8, 0));
      WorkCompletion wc = new WorkCompletion();
      WorkCompletion[] two = {wc, new WorkCompletion()};
      Allocation.assertNone(
          () -> {
            pair.right.qp().postRecv(recv);
            qp.postSend(send);
            while (pair.right.cq().poll(two) == 0) {
              Thread.onSpinWait();
            }
            while (!pair.left.cq().poll(wc)) {
              Thread.onSpinWait();
            }
            qp.wrStart();
            qp.wrFlags(SendFlags.SIGNALED);
            qp.wrRdmaWrite(to.rkey(), to.addr());
            qp.wrSetSge(from.lkey(), from.addr(), 8);
            qp.wrComplete();
            while (!pair.left.cq().poll(wc)) {
              Thread.onSpinWait();
            }
          });
      assertThat(wc.orThrow().opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
    }
  }

  @Test
  void aQueuePairThatEndsLeavesItsGroups() {
    QueuePair qp = pd.createQp(QpInitAttr.ud(context.createCq(4)));
    Gid group = Gid.parse("239.66.0.1");
    qp.attachMcast(group);
    qp.attachMcast(group);
    assertErrno(qp::destroy, Errno.EBUSY);
    qp.detachMcast(group);
    assertErrno(() -> qp.detachMcast(group), Errno.EINVAL);
    qp.attachMcast(group);
    qp.close();
    assertThat(qp.isClosed()).isTrue();
  }

  @Test
  void queuePairsShareReceives() {
    SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(16, 2));
    CompletionQueue cq = context.createCq(16);
    MemoryRegion mr = pd.allocMr(4096, ALL);
    QueuePair left = pd.createQp(QpInitAttr.rc(cq));
    QueuePair right = pd.createQp(QpInitAttr.rc(cq).srq(srq));
    assertErrno(srq::close, Errno.EBUSY);
    left.connect(right.endpoint(), ALL);
    right.connect(left.endpoint(), ALL);
    srq.postRecv(new RecvWr().wrId(5).sgList(mr.sge(64, 0)));
    assertThat(srq.query().maxWr()).isGreaterThanOrEqualTo(16);
    left.postSend(new SendWr().opcode(WrOpcode.SEND).sgList(mr.sge(8, 64)));
    WorkCompletion wc = await(cq).orThrow();
    assertThat(wc.wrId()).isEqualTo(5);
    assertThat(wc.qpNum()).isEqualTo(right.qpNum());
    assertThatThrownBy(() -> right.postRecv(new RecvWr())).isInstanceOf(WorkRequestException.class);
  }

  @Test
  void datagramsGoToTheirAddress() {
    CompletionQueue cq = context.createCq(16);
    QueuePair from = pd.createQp(QpInitAttr.ud(cq));
    QueuePair to = pd.createQp(QpInitAttr.ud(cq));
    from.toRts(QKEY);
    to.toRts(QKEY);
    MemoryRegion mr = pd.allocMr(4096, ALL);
    AddressHandle ah = pd.createAh(AhAttr.to(to.endpoint()));
    to.postRecv(new RecvWr().wrId(1).sgList(mr.sge(1024, 0)));
    SendWr wr =
        new SendWr()
            .wrId(2)
            .opcode(WrOpcode.SEND)
            .ah(ah)
            .remoteQpn(to.qpNum())
            .remoteQkey(QKEY)
            .sgList(mr.sge(100, 2048));
    from.postSend(wr);
    WorkCompletion wc = await(cq).orThrow();
    assertThat(wc.wrId()).isEqualTo(1);
    assertThat(wc.byteLen()).isEqualTo(140);
    assertThat(wc.srcQp()).isEqualTo(from.qpNum());
    AhAttr reply = context.initAhFromWc(1, wc, mr.memory());
    assertThat(reply.dgid()).isEqualTo(context.queryGid(1, 0));
    assertErrno(
        () -> context.initAhFromWc(1, new WorkCompletion().slid(0x10000), null), Errno.EINVAL);
    MemorySegment foreign =
        CompletableFuture.supplyAsync(() -> Arena.ofConfined().allocate(40)).join();
    assertErrno(() -> context.initAhFromWc(1, wc, foreign), Errno.EFAULT);
    assertErrno(() -> to.attachMcast(Gid.parse("ff0e::ffff:e001:203"), 0x10000), Errno.EINVAL);
    ah.close();
    assertThatThrownBy(() -> from.postSend(wr)).hasMessageContaining("is closed");
    try (AddressHandle other = context.allocPd().createAh(AhAttr.to(to.endpoint()))) {
      assertThatThrownBy(() -> from.postSend(wr.ah(other))).hasMessageContaining("domain");
    }
  }

  @Test
  void aThreadSleepsUntilACompletionRaisesAnEvent() throws InterruptedException {
    try (Pair pair = new Pair()) {
      pair.right.cq().reqNotify();
      assertThat(pair.channel.getCqEvent(Duration.ZERO)).isNull();
      pair.right.qp().postRecv(new RecvWr().sgList(pair.right.mr().sge()));
      AtomicReference<CompletionQueue> told = new AtomicReference<>();
      Thread waiter =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      told.set(pair.channel.getCqEvent());
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
      pair.left.qp().postSend(new SendWr().opcode(WrOpcode.SEND).sgList(pair.left.mr().sge(8, 0)));
      assertThat(waiter.join(DEADLINE)).isTrue();
      assertThat(told.get()).isSameAs(pair.right.cq());
      pair.right.cq().ackEvents(1);
      assertErrno(() -> pair.right.cq().ackEvents(1), Errno.EINVAL);
    }
  }

  @Test
  void aSelectorSelectsAChannelWithEvents() throws Exception {
    try (Pair pair = new Pair();
        Selector selector = Selector.open()) {
      pair.channel.registerPoll(selector);
      pair.right.cq().reqNotify();
      assertThat(selector.selectNow()).isZero();
      pair.right.qp().postRecv(new RecvWr().sgList(pair.right.mr().sge()));
      pair.left.qp().postSend(new SendWr().opcode(WrOpcode.SEND).sgList(pair.left.mr().sge(8, 0)));
      assertThat(selector.select(DEADLINE.toMillis())).isEqualTo(1);
      assertThat(pair.channel.checkPoll()).isSameAs(pair.right.cq());
      assertThat(selector.selectNow()).isZero();
      assertThat(pair.right.cq().compEvents()).isEqualTo(1);
    }
  }

  @Test
  void closingAChannelWakesWhoWaits() throws InterruptedException {
    CompletionChannel channel = context.createCompChannel();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    CountDownLatch waits = new CountDownLatch(1);
    Thread waiter =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    waits.countDown();
                    channel.getCqEvent();
                  } catch (InterruptedException | RuntimeException e) {
                    thrown.set(e);
                  }
                });
    waits.await();
    channel.close();
    assertThat(waiter.join(DEADLINE)).isTrue();
    assertThat(thrown.get()).isInstanceOf(ObjectClosedException.class);
  }

  @Test
  void anAsynchronousEventNamesItsObject() throws InterruptedException {
    try (Pair pair = new Pair()) {
      AsyncEvent event = context.getAsyncEvent(Duration.ZERO);
      assertThat(event).isNull();
      pair.right.qp().postRecv(new RecvWr().sgList(pair.right.mr().sge(1, 0)));
      pair.left
          .qp()
          .postSend(
              new SendWr().opcode(WrOpcode.RDMA_WRITE).rkey(0).sgList(pair.left.mr().sge(8, 0)));
      event = context.getAsyncEvent(DEADLINE);
      assertThat(event.eventType()).isEqualTo(EventType.QP_ACCESS_ERR);
      assertThat(event.qp()).isSameAs(pair.right.qp());
      event.ack();
    }
  }

  @Test
  void queriesOfAQueuePairTellWhatWasSet() {
    try (Pair pair = new Pair()) {
      assertThat(pair.left.qp().state()).isEqualTo(QpState.RTS);
      var attr = pair.left.qp().query(QpAttrMask.STATE);
      assertThat(attr.qpState()).isEqualTo(QpState.RTS);
      assertThat(attr.destQpNum()).isEqualTo(pair.right.qp().qpNum());
      assertThat(attr.timeout()).isEqualTo(14);
      assertThat(attr.mask()).isZero();
      assertErrno(
          () -> pair.left.qp().modify(new dev.verbena.verbs.QpAttr().qpState(QpState.INIT)),
          Errno.EINVAL);
    }
  }

  @Test
  void memoryThatCannotBeRegisteredIsRefusedBeforeTheCall() {
    assertErrno(() -> pd.regMr(MemorySegment.ofArray(new byte[8])), Errno.EINVAL);
    try (Arena confined = Arena.ofConfined()) {
      assertErrno(() -> pd.regMr(confined.allocate(8)), Errno.EINVAL);
    }
    assertErrno(() -> pd.allocMr(0), Errno.EINVAL);
    assertErrno(() -> pd.allocMr(8, Access.REMOTE_WRITE), Errno.EINVAL);
    try (MemoryRegion mr = pd.regMrIova(Arena.ofAuto().allocate(64, 4096), 4096, ALL)) {
      assertThat(mr.addr()).isEqualTo(4096);
      assertThat(mr.lkey()).isNotZero();
    }
  }

  @Test
  void objectsInUseStayAndClosedOnesRefuseCalls() {
    CompletionQueue cq = context.createCq(4);
    QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
    assertErrno(cq::close, Errno.EBUSY);
    assertErrno(() -> pd.dealloc(), Errno.EBUSY);
    assertThat(context.fromQpNum(qp.qpNum())).isSameAs(qp);
    int number = qp.qpNum();
    qp.close();
    assertThat(context.fromQpNum(number)).isNull();
    context.close();
    assertThatThrownBy(() -> cq.poll(new WorkCompletion()))
        .isInstanceOf(ObjectClosedException.class);
    assertThatThrownBy(() -> qp.postSend(null)).isInstanceOf(ObjectClosedException.class);
    assertThatThrownBy(() -> qp.postRecv(null)).isInstanceOf(ObjectClosedException.class);
    assertThatThrownBy(() -> context.queryPort(1)).isInstanceOf(ObjectClosedException.class);
    assertThatThrownBy(() -> pd.allocMr(1)).isInstanceOf(ObjectClosedException.class);
    context.close();
  }

  @Test
  void objectsOfAnotherContextAreRefused() {
    try (Context other = device().open()) {
      CompletionQueue foreign = other.createCq(4);
      assertErrno(() -> pd.createQp(QpInitAttr.rc(foreign)), Errno.EINVAL);
      CompletionChannel channel = other.createCompChannel();
      assertErrno(() -> context.createCq(4, channel), Errno.EINVAL);
    }
  }

  @Test
  void valuesThatTheStructsHaveNoRoomForAreRefused() {
    QueuePair qp = pd.createQp(QpInitAttr.rc(context.createCq(4)));
    QpAttr attr = new QpAttr().timeout(300).retryCnt(-1).altPortNum(256);
    for (int mask : new int[] {QpAttrMask.TIMEOUT, QpAttrMask.RETRY_CNT, QpAttrMask.ALT_PATH}) {
      assertThatThrownBy(() -> qp.modify(attr, QpAttrMask.STATE | mask))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
          .hasMessageMatching(".*(timeout=300|retry_cnt=-1|alt_port_num=256) is not in 0 to 255.*");
    }
    QpAttr keys = new QpAttr().pkeyIndex(0x10000).altPkeyIndex(-1);
    for (int mask : new int[] {QpAttrMask.PKEY_INDEX, QpAttrMask.ALT_PATH}) {
      assertThatThrownBy(() -> qp.modify(keys, QpAttrMask.STATE | mask))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
          .hasMessageMatching(".*(pkey_index=65536|alt_pkey_index=-1) is not in 0 to 65535.*");
    }
    AhAttr outside = AhAttr.to(qp.endpoint()).withDlid(0x10000);
    assertThatThrownBy(() -> pd.createAh(outside))
        .hasMessageContaining("dlid=65536 is not in 0 to 65535");
    AhAttr far = AhAttr.to(qp.endpoint()).withSgidIndex(256);
    assertThatThrownBy(() -> pd.createAh(far))
        .hasMessageContaining("sgid_index=256 is not in 0 to 255");
    for (int mask : new int[] {QpAttrMask.AV, QpAttrMask.ALT_PATH}) {
      QpAttr path = new QpAttr().ahAttr(far).altAhAttr(far);
      assertThatThrownBy(() -> qp.modify(path, QpAttrMask.STATE | mask))
          .hasMessageContaining("sgid_index=256 is not in 0 to 255");
    }
    assertThat(qp.state()).isEqualTo(QpState.RESET);
    SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(4, 1));
    for (int mask : new int[] {0, 4, SrqAttrMask.MAX_WR | 1 << 31}) {
      assertErrno(() -> srq.modify(srq.query(), mask), Errno.EINVAL);
    }
    assertThatThrownBy(() -> srq.modify(new SrqAttr(0, 0, 100), SrqAttrMask.LIMIT))
        .hasMessageContaining("which has srq_attr[max_wr=4");
  }

  @Test
  void requestsOfAConnectionNameNoDestination() {
    try (Pair pair = new Pair()) {
      QueuePairEx qp = pair.left.qp().toQpEx();
      AddressHandle ah = pd.createAh(AhAttr.to(pair.right.qp().endpoint()));
      qp.wrStart();
      qp.wrSend();
      qp.wrSetUdAddr(ah, 1, QKEY);
      assertErrno(qp::wrComplete, Errno.EINVAL);
      qp.wrStart();
      qp.wrSend();
      qp.wrSetXrcSrqn(1);
      assertErrno(qp::wrComplete, Errno.EINVAL);
    }
  }
}
