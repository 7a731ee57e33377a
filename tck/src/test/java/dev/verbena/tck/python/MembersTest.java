package dev.verbena.tck.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ParentDomain;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqAttr;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Factories, properties and refusals of the objects. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MembersTest {
  private final Context context = Devices.open(TckLink.selected().getFirst().device());
  private final ProtectionDomain pd = context.allocPd();
  private final CompletionQueue cq = context.createCq(100);

  @AfterAll
  void closeContext() {
    context.close();
  }

  @Test
  @Proves({"PY-104", "PY-105", "PY-106", "PY-137"})
  void addressHandle() {
    AddressHandle ah = pd.ah(AhAttr.to(context.queryGid(1, 0)));
    assertThat(ah.pd()).isSameAs(pd);
    assertThat(ah.attr()).isEqualTo(AhAttr.to(context.queryGid(1, 0)));
    assertThat(ah.toString()).matches("AH [0-9]+");
    ah.close();
    assertThat(ah.isClosed()).isTrue();
    ah.close();
  }

  @Test
  @Proves({"PY-108", "PY-110", "PY-111", "PY-113", "PY-124"})
  void completionQueue() {
    try (CompletionChannel channel = context.createCompChannel();
        CompletionQueue with = context.createCq(100, null, channel, 0);
        CompletionQueue without = context.createCq(100)) {
      assertThat(with.context()).isSameAs(context);
      assertThat(with.channel()).isSameAs(channel);
      assertThat(with.compEvents()).isZero();
      assertThat(with.cqe()).isGreaterThanOrEqualTo(100);
      assertThat(without.channel()).isNull();
      with.reqNotify();
      with.reqNotify(true);
      with.resize(200);
      assertThat(with.cqe()).isGreaterThanOrEqualTo(200);
    }
  }

  @Test
  @Proves({"PY-114", "PY-116", "PY-119", "PY-123"})
  void completionChannel() {
    CompletionChannel channel = context.createCompChannel();
    assertThat(channel.context()).isSameAs(context);
    CompletionQueue user = context.createCq(1, channel);
    Refused.of(channel::close, Errno.EBUSY);
    user.close();
    channel.close();
    channel.close();
    assertThat(channel.isClosed()).isTrue();
  }

  @Test
  @Proves({"PY-125", "PY-139"})
  void queuePairsAreFoundByTheirNumbers() {
    try (ProtectionDomain other = context.allocPd();
        ParentDomain parent = context.allocParentDomain(other, null)) {
      QueuePair first = pd.createQp(QpInitAttr.rc(cq));
      QueuePair second = parent.createQp(QpInitAttr.ud(cq));
      assertThat(context.fromQpNum(first.qpNum())).isSameAs(first);
      assertThat(context.fromQpNum(second.qpNum())).isSameAs(second);
      assertThat(pd.fromQpNum(first.qpNum())).isSameAs(first);
      assertThat(pd.fromQpNum(second.qpNum())).isNull();
      assertThat(other.fromQpNum(second.qpNum())).isSameAs(second);
      int number = first.qpNum();
      first.close();
      assertThat(context.fromQpNum(number)).isNull();
      assertThat(pd.fromQpNum(number)).isNull();
    }
  }

  @Test
  @Proves({"PY-128", "PY-129", "PY-136", "PY-144"})
  void domainAndDevice() {
    try (ProtectionDomain own = context.allocPd()) {
      assertThat(own.context()).isSameAs(context);
    }
    assertThat(context.queryDevice().physPortCnt()).isEqualTo(1);
    assertThat(context.endPort().device().nodeGuid().toString()).hasSize(19);
  }

  @Test
  @Proves({"PY-078", "PY-079", "PY-132", "PY-133", "PY-135", "PY-140"})
  void regionsOfBuffersOfAllKinds(@TempDir Path folder) throws Exception {
    ByteBuffer readOnly = ByteBuffer.allocateDirect(64).asReadOnlyBuffer();
    pd.mr(readOnly, Access.REMOTE_READ).close();
    for (int right : new int[] {Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC}) {
      Refused.of(() -> pd.mr(readOnly, right), Errno.EINVAL).naming("read-only");
    }
    Refused.of(() -> pd.mr(ByteBuffer.allocate(64)), Errno.EINVAL).naming("heap");
    try (Arena arena = Arena.ofShared()) {
      MemorySegment text = arena.allocateFrom("Hello");
      try (MemoryRegion mr = pd.mr(text, Access.REMOTE_READ)) {
        assertThat(mr.pd()).isSameAs(pd);
        assertThat(mr.context()).isSameAs(context);
        assertThat(mr.addr()).isEqualTo(text.address());
        assertThat(mr.length()).isEqualTo(6);
        assertThat(mr.lkey()).isNotZero();
        assertThat(mr.rkey()).isNotZero();
        assertThat(mr.access()).isEqualTo(Access.REMOTE_READ);
      }
      MemorySegment bytes = arena.allocate(256);
      Refused.of(() -> pd.regMr(bytes, Access.REMOTE_WRITE), Errno.EINVAL);
      for (int right : new int[] {Access.REMOTE_WRITE, Access.REMOTE_ATOMIC}) {
        try (MemoryRegion mr = pd.mr(bytes, right)) {
          assertThat(mr.access()).isEqualTo(right | Access.LOCAL_WRITE);
        }
      }
      Path file = Files.write(folder.resolve("mapped"), new byte[256]);
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        MemorySegment mapped = channel.map(MapMode.READ_WRITE, 0, 256, arena);
        MemoryRegion mr = pd.mr(mapped, Access.REMOTE_WRITE);
        mr.close();
        mr.close();
        assertThat(mr.isClosed()).isTrue();
      }
    }
  }

  @Test
  @Proves({"PY-080", "PY-134"})
  void elementsOfARegionStayInsideIt() {
    try (MemoryRegion mr = pd.allocMr(256, Access.LOCAL_WRITE)) {
      assertThat(mr.sge().length()).isEqualTo(256);
      Sge part = mr.sge(128, 10);
      assertThat(part.addr()).isEqualTo(mr.addr() + 10);
      assertThat(part.length()).isEqualTo(128);
      assertThat(part.lkey()).isEqualTo(mr.lkey());
      Refused.of(() -> mr.sge(128, -1), Errno.EINVAL);
      Refused.of(() -> mr.sge(128, 129), Errno.EINVAL);
      assertThat(mr.sge(128, 128).length()).isEqualTo(128);
    }
  }

  @Test
  @Proves({"PY-141", "PY-142", "PY-145", "PY-156"})
  void queuePair() {
    QpInitAttr attr =
        new QpInitAttr(QpType.RC).sendCq(cq).recvCq(cq).maxSendWr(16).maxRecvWr(8).sqSigAll(true);
    try (QueuePair qp = pd.createQp(attr)) {
      assertThat(qp.pd()).isSameAs(pd);
      assertThat(qp.context()).isSameAs(context);
      assertThat(qp.qpNum()).isPositive();
      assertThat(qp.qpType()).isEqualTo(QpType.RC);
      assertThat(qp.state()).isEqualTo(QpState.RESET);
      QpCap cap = qp.queryInit().cap();
      assertThat(cap.maxSendWr()).isGreaterThanOrEqualTo(16);
      assertThat(cap.maxRecvWr()).isGreaterThanOrEqualTo(8);
      assertThat(cap.maxSendSge()).isGreaterThanOrEqualTo(1);
      assertThat(cap.maxRecvSge()).isGreaterThanOrEqualTo(1);
      assertThat(qp.queryInit().sqSigAll()).isTrue();
      assertThat(qp.query(QpAttrMask.STATE, QpAttrMask.CAP).cap()).isEqualTo(cap);
    }
    Refused.of(() -> pd.createQp(new QpInitAttr(QpType.RC)), Errno.EINVAL);
  }

  @Test
  @Proves("PY-147")
  void closingAQueuePairLeavesItsGroups() {
    QueuePair qp = pd.createQp(QpInitAttr.ud(cq));
    Gid group = Addresses.nextGroup();
    qp.attachMcast(group);
    Refused.of(qp::destroy, Errno.EBUSY);
    qp.close();
    assertThat(qp.isClosed()).isTrue();
    qp.close();
  }

  @Test
  @Proves({"PY-154", "PY-155"})
  void whatIsWrongWithARequestIsSaidWhenItIsPosted() {
    PairSetup setup = PairSetup.on(TckLink.plain()).type(QpType.UD);
    QpInitAttr attr = QpInitAttr.ud(cq).maxSendSge(1).maxRecvSge(1);
    try (QueuePair qp = pd.createQp(attr);
        MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE)) {
      setup.connect(qp, qp.endpoint());
      qp.postRecv(null);
      qp.postRecv(new RecvWr().sgList(mr.sge()).next(new RecvWr().sgList(mr.sge())));
      Sge[] many = new Sge[100];
      Arrays.fill(many, mr.sge());
      Refusal.with(Errno.EINVAL, () -> qp.postRecv(new RecvWr().sgList(many)));
      AddressHandle ah = pd.ah(AhAttr.to(context.queryGid(1, 0)));
      SendWr noAh = new SendWr().opcode(WrOpcode.SEND).sgList(mr.sge());
      Refusal.with(Errno.EINVAL, () -> qp.postSend(noAh));
      SendWr tooMany = new SendWr().opcode(WrOpcode.SEND).ah(ah).sgList(many);
      WorkRequestException e = Refusal.with(Errno.EINVAL, () -> qp.postSend(tooMany));
      assertThat(e).hasMessageContaining("100");
      qp.postSend(new SendWr().opcode(WrOpcode.SEND).ah(ah).remoteQpn(qp.qpNum()));
    }
  }

  @Test
  @Proves("PY-165")
  void theIndexIsThatOfTheRequestThatFailed() {
    PairSetup setup = PairSetup.on(TckLink.plain());
    try (QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
        MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE)) {
      setup.connect(qp, qp.endpoint());
      RecvWr last = new RecvWr().wrId(3).sgList(mr.sge());
      RecvWr bad = new RecvWr().wrId(2).numSge(-1).next(last);
      RecvWr first = new RecvWr().wrId(1).sgList(mr.sge()).next(bad);
      assertThatThrownBy(() -> qp.postRecv(first))
          .isInstanceOfSatisfying(
              WorkRequestException.class,
              e -> {
                assertThat(e.index()).isEqualTo(1);
                assertThat(e.badRecvWr()).isSameAs(bad);
                assertThat(e.errno()).isEqualTo(Errno.EINVAL);
                assertThat(e.function()).isEqualTo("postRecv");
                assertThat(e).isInstanceOf(VerbsException.class);
              });
    }
  }

  @Test
  @Proves({"PY-143", "PY-158", "PY-159", "PY-160", "PY-161", "PY-162", "PY-163"})
  void sharedReceiveQueue() {
    SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(100, 1));
    assertThat(srq.pd()).isSameAs(pd);
    assertThat(srq.context()).isSameAs(context);
    SrqAttr made = srq.query();
    assertThat(made.maxWr()).isGreaterThanOrEqualTo(100);
    assertThat(made.maxSge()).isGreaterThanOrEqualTo(1);
    assertThat(made.srqLimit()).isZero();
    srq.postRecv(new RecvWr().next(new RecvWr()));
    srq.modifyLimit(2);
    assertThat(srq.query()).isEqualTo(new SrqAttr(made.maxWr(), made.maxSge(), 2));
    srq.modifyMaxWr(200);
    assertThat(srq.query().maxWr()).isGreaterThanOrEqualTo(200);
    assertThat(srq.query().srqLimit()).as("only the given value changes").isEqualTo(2);
    QueuePair user = pd.createQp(QpInitAttr.rc(cq).srq(srq));
    Refused.of(srq::close, Errno.EBUSY);
    user.close();
    srq.close();
    srq.close();
  }
}
