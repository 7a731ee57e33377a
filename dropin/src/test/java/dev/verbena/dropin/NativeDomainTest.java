package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.DataInOrder;
import dev.verbena.verbs.DeviceCapEx;
import dev.verbena.verbs.Ece;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.ParentDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpOpenAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.SrqType;
import dev.verbena.verbs.ThreadDomain;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.XrcDomain;
import dev.verbena.verbs.XrcdFlags;
import dev.verbena.verbs.XrcdInitAttr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** XRC, parent and thread domains, FLUSH, ECE and order of data of the provider over libibverbs. */
final class NativeDomainTest extends NativeTest {
  private static final int QKEY = 0x1111_1111;

  @Test
  void anXrcMessageGoesToTheSharedQueueThatItNames() {
    XrcDomain xrcd = context.openXrcd(XrcdInitAttr.anonymous());
    CompletionQueue sent = context.createCq(16);
    CompletionQueue received = context.createCq(16);
    SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.xrc(xrcd, received, 8, 1));
    QueuePair from =
        pd.createQp(
            new QpInitAttr(QpType.XRC_SEND)
                .sendCq(sent)
                .cap(QpInitAttr.rc(sent).cap())
                .sendOps(OPS));
    QueuePair to = context.createQpEx(new QpInitAttr(QpType.XRC_RECV).xrcd(xrcd));
    assertThat(to.pd()).isNull();
    assertThat(from.recvCq()).isNull();
    from.connect(to.endpoint(), ALL);
    to.connect(from.endpoint(), ALL);
    MemoryRegion mr = pd.allocMr(64, ALL);
    srq.postRecv(new RecvWr().wrId(1).sgList(mr.sge(8, 0)));
    srq.postRecv(new RecvWr().wrId(2).sgList(mr.sge(8, 8)));
    mr.memory().setString(32, "by SRQ");
    from.postSend(
        new SendWr()
            .opcode(WrOpcode.SEND)
            .remoteSrqn(srq.srqNum())
            .sendFlags(SendFlags.SIGNALED)
            .sgList(mr.sge(8, 32)));
    await(sent).orThrow();
    WorkCompletion wc = await(received).orThrow();
    assertThat(wc.wrId()).isEqualTo(1);
    assertThat(wc.qpNum()).isEqualTo(to.qpNum());
    assertThat(text(mr, 0)).isEqualTo("by SRQ");
    QueuePairEx batch = from.toQpEx();
    batch.wrStart();
    batch.wrSend();
    batch.wrSetXrcSrqn(srq.srqNum());
    batch.wrSetSge(mr.lkey(), mr.addr() + 32, 8);
    batch.wrComplete();
    assertThat(await(received).orThrow().wrId()).isEqualTo(2);
    assertThat(text(mr, 8)).isEqualTo("by SRQ");
    assertErrno(xrcd::close, Errno.EBUSY);
    assertErrno(received::close, Errno.EBUSY);
    to.close();
    srq.close();
    xrcd.close();
  }

  @Test
  void aFileNamesADomainWhoseQueuePairsHaveSeveralHandles(@TempDir Path folder) throws IOException {
    Path file = Files.createFile(folder.resolve("domain"));
    XrcdInitAttr attr = XrcdInitAttr.of(file);
    XrcDomain mine = context.openXrcd(attr);
    QueuePair qp = context.createQpEx(new QpInitAttr(QpType.XRC_RECV).xrcd(mine));
    qp.modify(new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(ALL));
    try (Context other = device().open()) {
      XrcDomain theirs = other.openXrcd(XrcdInitAttr.of(file).oflags(0));
      QueuePair handle = other.openQp(new QpOpenAttr(theirs, qp.qpNum()));
      assertThat(handle.qpNum()).isEqualTo(qp.qpNum());
      assertThat(handle.qpType()).isEqualTo(QpType.XRC_RECV);
      assertThat(handle.state()).isEqualTo(QpState.INIT);
      assertErrno(() -> other.openQp(new QpOpenAttr(theirs, 1)), Errno.ENOENT);
      assertErrno(() -> other.openQp(new QpOpenAttr(mine, qp.qpNum())), Errno.EINVAL);
    }
    assertErrno(
        () -> context.openXrcd(XrcdInitAttr.of(file).oflags(XrcdFlags.CREAT, XrcdFlags.EXCL)),
        Errno.EEXIST);
    assertErrno(() -> context.openXrcd(XrcdInitAttr.of(folder.resolve("nothing"))), Errno.EBADF);
  }

  @Test
  void whatAnXrcQueuePairDoesNotHaveIsRefusedBeforeTheCall() {
    XrcDomain xrcd = context.openXrcd(XrcdInitAttr.anonymous());
    QueuePair to = context.createQpEx(new QpInitAttr(QpType.XRC_RECV).xrcd(xrcd));
    assertThatThrownBy(() -> to.postRecv(new RecvWr())).hasMessageContaining("no receive queue");
    assertThatThrownBy(() -> to.postSend(new SendWr().opcode(WrOpcode.SEND)))
        .hasMessageContaining("no send queue");
    CompletionQueue cq = context.createCq(4);
    QueuePair from = pd.createQp(new QpInitAttr(QpType.XRC_SEND).sendCq(cq).maxSendWr(1));
    assertThatThrownBy(() -> from.postRecv(new RecvWr())).hasMessageContaining("no receive queue");
    assertErrno(() -> context.createQpEx(new QpInitAttr(QpType.XRC_RECV)), Errno.EINVAL);
    assertErrno(() -> pd.createQp(new QpInitAttr(QpType.XRC_RECV).xrcd(xrcd)), Errno.EINVAL);
    assertErrno(() -> pd.createSrq(SrqInitAttr.basic(8, 1).srqType(SrqType.XRC)), Errno.EINVAL);
    assertErrno(() -> pd.createSrq(SrqInitAttr.basic(8, 1)).srqNum(), Errno.EOPNOTSUPP);
  }

  @Test
  void objectsOfAParentDomainAndOfTheOneBelowAreUsedTogether() {
    ThreadDomain td = context.allocTd();
    ParentDomain parent = context.allocParentDomain(pd, td);
    assertThat(parent.pd()).isSameAs(pd);
    assertThat(parent.td()).isSameAs(td);
    assertErrno(td::dealloc, Errno.EBUSY);
    assertErrno(pd::dealloc, Errno.EBUSY);
    assertErrno(() -> context.allocParentDomain(parent, null), Errno.EINVAL);
    CompletionQueueEx cq = context.createCqEx(new CqInitAttrEx(8).parentDomain(parent));
    assertErrno(parent::dealloc, Errno.EBUSY);
    QueuePair qp = parent.createQp(QpInitAttr.ud(cq));
    assertThat(qp.pd()).isSameAs(parent);
    qp.toRts(QKEY);
    MemoryRegion mr = pd.allocMr(256, ALL);
    AddressHandle ah = pd.createAh(AhAttr.to(qp.endpoint()));
    qp.postRecv(new RecvWr().wrId(1).sgList(mr.sge(128, 0)));
    qp.postSend(
        new SendWr()
            .opcode(WrOpcode.SEND)
            .ah(ah)
            .remoteQpn(qp.qpNum())
            .remoteQkey(QKEY)
            .sgList(mr.sge(8, 128)));
    assertThat(await(cq).orThrow().wrId()).isEqualTo(1);
    qp.close();
    cq.close();
    parent.dealloc();
    td.dealloc();
    assertThat(context.allocParentDomain(pd, null).td()).isNull();
  }

  @Test
  void underAThreadDomainNoThreadPostsInTheBatchOfAnother() {
    ParentDomain parent = context.allocParentDomain(pd, context.allocTd());
    CompletionQueue cq = context.createCq(8);
    QueuePairEx qp = parent.createQpEx(QpInitAttr.rc(cq).sendOps(SendOps.RDMA_WRITE));
    qp.wrStart();
    for (Runnable post : List.<Runnable>of(qp::wrStart, () -> qp.postSend(null))) {
      assertThatThrownBy(() -> CompletableFuture.runAsync(post).join())
          .hasRootCauseInstanceOf(IllegalStateException.class)
          .hasMessageContaining("has called wrStart, and not yet wrComplete");
    }
    qp.wrAbort();
    CompletableFuture.runAsync(
            () -> {
              qp.wrStart();
              qp.wrAbort();
            })
        .join();
  }

  @Test
  void aFlushIsPostedInBatches() {
    assertThat(context.queryDeviceEx().deviceCapFlagsEx() & DeviceCapEx.FLUSH_GLOBAL).isNotZero();
    CompletionQueue cq = context.createCq(8);
    QueuePair qp = pd.createQp(QpInitAttr.rc(cq).sendOps(SendOps.FLUSH | SendOps.RDMA_WRITE));
    MemoryRegion mr = pd.allocMr(64, ALL | Access.FLUSH_GLOBAL);
    qp.connect(qp.endpoint(), ALL | Access.FLUSH_GLOBAL);
    QueuePairEx batch = qp.toQpEx();
    batch.wrStart();
    batch.wrId(5).wrFlags(SendFlags.SIGNALED);
    batch.wrFlush(mr.rkey(), mr.addr(), 8, FlushType.GLOBAL, FlushLevel.RANGE);
    batch.wrComplete();
    WorkCompletion wc = await(cq).orThrow();
    assertThat(wc.wrId()).isEqualTo(5);
    assertThat(wc.opcode()).isEqualTo(WcOpcode.FLUSH);
    batch.wrStart();
    batch.wrFlush(mr.rkey(), mr.addr(), 8, 0, FlushLevel.RANGE);
    assertThatThrownBy(batch::wrComplete).hasMessageContaining("wrComplete");
    batch.wrStart();
    batch.wrFlush(mr.rkey(), mr.addr(), 8, 0x100 | FlushType.GLOBAL, FlushLevel.RANGE);
    assertThatThrownBy(batch::wrComplete).hasMessageContaining("type=257 is not in 0 to 255");
    for (WrOpcode opcode : new WrOpcode[] {WrOpcode.FLUSH, WrOpcode.ATOMIC_WRITE}) {
      SendWr wr = new SendWr().opcode(opcode);
      assertErrno(() -> qp.postSend(wr), Errno.EOPNOTSUPP);
      assertThatThrownBy(() -> qp.postSend(wr)).hasMessageContaining(opcode + " is in batches");
      QueuePair ud = pd.createQp(QpInitAttr.ud(cq));
      assertErrno(() -> ud.postSend(wr), Errno.EINVAL);
    }
  }

  @Test
  void theLibrarySaysWhetherDataArrivesInOrder() {
    QueuePair fresh = pd.createQp(QpInitAttr.rc(context.createCq(4)));
    assertThat(fresh.queryDataInOrder(WrOpcode.RDMA_WRITE, 0)).isZero();
    try (Pair pair = new Pair()) {
      QueuePair qp = pair.left.qp();
      assertThat(qp.queryDataInOrder(WrOpcode.RDMA_WRITE, 0)).isEqualTo(1);
      assertThat(qp.queryDataInOrder(WrOpcode.RDMA_WRITE, DataInOrder.RETURN_CAPS))
          .isEqualTo(DataInOrder.WHOLE_MSG | DataInOrder.ALIGNED_128_BYTES);
      assertThat(qp.queryDataInOrder(WrOpcode.RDMA_READ, 0)).isZero();
      assertThat(qp.queryDataInOrder(WrOpcode.RDMA_READ, DataInOrder.RETURN_CAPS))
          .isEqualTo(DataInOrder.ALIGNED_128_BYTES);
      assertThat(qp.queryDataInOrder(WrOpcode.SEND, DataInOrder.RETURN_CAPS)).isZero();
      assertThat(qp.queryDataInOrder(WrOpcode.RDMA_WRITE, -1)).as("unknown flags").isZero();
      qp.close();
      assertThatThrownBy(() -> qp.queryDataInOrder(WrOpcode.RDMA_WRITE, 0))
          .isInstanceOf(ObjectClosedException.class);
    }
  }

  @Test
  void optionsOfAVendorAreTheDriversAffair() {
    QueuePair qp = pd.createQp(QpInitAttr.rc(context.createCq(4)));
    assertErrno(qp::queryEce, Errno.EOPNOTSUPP);
    qp.setEce(new Ece(0x15b3, 2));
    assertThat(qp.queryEce()).isEqualTo(new Ece(0x15b3, 2));
  }
}
