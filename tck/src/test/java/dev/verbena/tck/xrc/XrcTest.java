package dev.verbena.tck.xrc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceCap;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpOpenAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqAttr;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.SrqType;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.XrcDomain;
import dev.verbena.verbs.XrcdFlags;
import dev.verbena.verbs.XrcdInitAttr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** XRC domains, shared queues and queue pairs as objects, without traffic: S7.1 to S7.4. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class XrcTest {
  private final Context context = Devices.open(TckLink.selected().getFirst().device());
  private final Context other = Devices.open(context.device().spec());
  private final CompletionQueue cq = context.createCq(16);

  @BeforeAll
  void deviceHasIt() {
    Assumptions.assumeTrue(
        (context.queryDevice().deviceCapFlags() & DeviceCap.XRC) != 0,
        "device_cap_flags lacks XRC");
  }

  @AfterAll
  void closeContexts() {
    context.close();
    other.close();
  }

  @Test
  @Proves("S7.1")
  void aFileNamesADomainThatContextsShare() throws IOException {
    try (SharedFile file = SharedFile.create()) {
      XrcdInitAttr attr = file.attr();
      Refused.of(() -> context.openXrcd(attr.oflags(0)), Errno.ENOENT).from("openXrcd");
      XrcDomain one = context.openXrcd(attr.oflags(XrcdFlags.CREAT, XrcdFlags.EXCL));
      Refused.of(() -> other.openXrcd(attr.oflags(XrcdFlags.CREAT, XrcdFlags.EXCL)), Errno.EEXIST);
      Path link = Path.of(file.path() + ".link");
      Files.createLink(link, file.path());
      try (XrcDomain two = other.openXrcd(XrcdInitAttr.of(link).oflags(0));
          XrcDomain three = context.openXrcd(attr.oflags(XrcdFlags.CREAT));
          QueuePair qp = context.createQpEx(QpInitAttr.xrcRecv(one))) {
        // The same domain, because each finds what the other made.
        other.openQp(new QpOpenAttr(two, qp.qpNum())).destroy();
        context.openQp(new QpOpenAttr(three, qp.qpNum())).destroy();
      } finally {
        Files.delete(link);
      }
      one.close();
      // It ended with the last handle.
      Refused.of(() -> other.openXrcd(attr.oflags(0)), Errno.ENOENT);
      try (XrcDomain next = other.openXrcd(attr.oflags(XrcdFlags.CREAT | XrcdFlags.EXCL))) {
        assertThat(next.context()).isSameAs(other);
      }
    }
  }

  @Test
  @Proves("S7.1")
  void otherFilesAndOtherDevicesHaveOtherDomains() {
    try (SharedFile file = SharedFile.create();
        SharedFile anotherFile = SharedFile.create();
        Context elsewhere = Devices.open(TckLink.selected().getFirst().device());
        XrcDomain one = context.openXrcd(file.attr());
        XrcDomain two = context.openXrcd(anotherFile.attr());
        XrcDomain three = elsewhere.openXrcd(file.attr());
        QueuePair qp = context.createQpEx(QpInitAttr.xrcRecv(one))) {
      Refused.of(() -> context.openQp(new QpOpenAttr(two, qp.qpNum())), Errno.ENOENT);
      Refused.of(() -> elsewhere.openQp(new QpOpenAttr(three, qp.qpNum())), Errno.ENOENT);
    }
  }

  @Test
  @Proves("S7.1")
  void aPrivateDomainIsNobodyElses() {
    Refused.of(() -> context.openXrcd(XrcdInitAttr.anonymous().oflags(0)), Errno.EINVAL);
    Refused.of(() -> context.openXrcd(XrcdInitAttr.anonymous().oflags(1 << 20)), Errno.EINVAL);
    try (XrcDomain one = context.openXrcd();
        XrcDomain two = context.openXrcd();
        QueuePair qp = context.createQpEx(QpInitAttr.xrcRecv(one))) {
      Refused.of(() -> context.openQp(new QpOpenAttr(two, qp.qpNum())), Errno.ENOENT);
    }
  }

  @Test
  @Proves("S7.1")
  void aFileThatDoesNotExistIsRefused() {
    Path nowhere = Path.of("no", "such", "file");
    Refused.of(() -> context.openXrcd(XrcdInitAttr.of(nowhere)), Errno.EBADF)
        .naming(nowhere.toString());
  }

  @Test
  @Proves({"S7.1", "S6.18"})
  void aDomainIsBusyWhileAnythingUsesIt() {
    XrcDomain xrcd = context.openXrcd();
    SharedReceiveQueue srq = pd().createSrq(SrqInitAttr.xrc(xrcd, cq, 4, 1));
    Refused.of(xrcd::close, Errno.EBUSY).naming("SRQ");
    srq.destroy();
    QueuePair qp = context.createQpEx(QpInitAttr.xrcRecv(xrcd));
    Refused.of(xrcd::close, Errno.EBUSY).naming("QP");
    assertThat(xrcd.isClosed()).isFalse();
    QueuePair opened = context.openQp(new QpOpenAttr(xrcd, qp.qpNum()));
    qp.destroy();
    Refused.of(xrcd::close, Errno.EBUSY);
    opened.destroy();
    xrcd.close();
    assertThat(xrcd.isClosed()).isTrue();
    xrcd.close();
    Refused.of(() -> context.createQpEx(QpInitAttr.xrcRecv(xrcd)), Errno.EBADF);
    Refused.of(xrcd::context, Errno.EBADF);
  }

  @Test
  @Proves({"S7.2", "S6.18"})
  void aSharedQueueNeedsADomainAndACompletionQueue() {
    try (XrcDomain xrcd = context.openXrcd()) {
      SrqInitAttr attr = new SrqInitAttr().srqType(SrqType.XRC);
      Refused.of(() -> pd().createSrq(attr), Errno.EINVAL);
      Refused.of(() -> pd().createSrq(attr.xrcd(xrcd)), Errno.EINVAL);
      Refused.of(() -> pd().createSrq(attr.xrcd(null).cq(cq)), Errno.EINVAL);
      Refused.of(() -> pd().createSrq(SrqInitAttr.basic(1, 1).xrcd(xrcd)), Errno.EINVAL);
      Refused.of(() -> other.allocPd().createSrq(attr.xrcd(xrcd).cq(cq)), Errno.EINVAL);
      CompletionQueue own = context.createCq(4);
      SharedReceiveQueue srq = pd().createSrq(attr.xrcd(xrcd).cq(own).maxWr(5).maxSge(2));
      assertThat(srq.srqType()).isEqualTo(SrqType.XRC);
      assertThat(srq.xrcd()).isSameAs(xrcd);
      assertThat(srq.cq()).isSameAs(own);
      assertThat(srq.query()).isEqualTo(new SrqAttr(5, 2, 0));
      Refused.of(own::destroy, Errno.EBUSY).naming("SRQ");
      Refused.of(() -> pd().createQp(QpInitAttr.rc(cq).srq(srq)), Errno.EINVAL);
      srq.destroy();
      own.destroy();
    }
  }

  @Test
  @Proves("S7.2")
  void everySharedQueueHasANumberOfItsOwn() {
    try (XrcDomain xrcd = context.openXrcd()) {
      ProtectionDomain own = pd();
      Set<Integer> numbers = new HashSet<>();
      for (int i = 0; i < 100; i++) {
        SharedReceiveQueue srq = own.createSrq(SrqInitAttr.xrc(xrcd, cq, 1, 1));
        int number = srq.srqNum();
        assertThat(number).isBetween(1, 0xff_ffff);
        assertThat(numbers.add(number)).as("%x is new", number).isTrue();
        if (i % 2 == 0) {
          srq.destroy();
        }
      }
      own.close();
    }
  }

  @Test
  @Proves({"S7.3", "S2.2", "S1.1.c", "S3.1.3"})
  void aTargetHasNothingButItsDomain() {
    try (XrcDomain xrcd = context.openXrcd()) {
      QpInitAttr attr = QpInitAttr.xrcRecv(xrcd).maxSendWr(-1).maxRecvSge(1 << 20);
      Object mine = new Object();
      try (QueuePair qp = context.createQpEx(attr.qpContext(mine))) {
        assertThat(qp.qpType()).isEqualTo(QpType.XRC_RECV);
        assertThat(qp.pd()).isNull();
        assertThat(qp.sendCq()).isNull();
        assertThat(qp.recvCq()).isNull();
        assertThat(qp.srq()).isNull();
        assertThat(qp.context()).isSameAs(context);
        assertThat(qp.qpContext()).isSameAs(mine);
        QpInitAttr told = qp.queryInit();
        assertThat(told.xrcd()).isSameAs(xrcd);
        assertThat(told.cap()).isEqualTo(qp.query().cap());
        Refusal.with(Errno.EINVAL, () -> qp.postRecv(new RecvWr()));
        Refusal.with(Errno.EINVAL, () -> qp.postSend(new SendWr().opcode(WrOpcode.SEND)));
        walkToRts(qp);
        Refusal.with(Errno.EINVAL, () -> qp.postRecv(new RecvWr()));
        Refusal.with(Errno.EINVAL, () -> qp.postSend(new SendWr().opcode(WrOpcode.SEND)));
        Refused.of(qp::toQpEx, Errno.EINVAL);
      }
      Refused.of(() -> context.createQpEx(new QpInitAttr(QpType.XRC_RECV)), Errno.EINVAL);
      Refused.of(() -> context.createQpEx(QpInitAttr.rc(cq)), Errno.EINVAL);
      Refused.of(() -> pd().createQp(QpInitAttr.xrcRecv(xrcd)), Errno.EINVAL);
      Refused.of(() -> other.createQpEx(QpInitAttr.xrcRecv(xrcd)), Errno.EINVAL);
      Refused.of(
          () -> context.createQpEx(QpInitAttr.xrcRecv(xrcd).sendOps(SendOps.SEND)),
          Errno.EINVAL,
          Errno.EOPNOTSUPP);
    }
  }

  @Test
  @Proves("S7.3")
  void aTargetIsOpenedByNumberTypeAndDomain() {
    try (XrcDomain xrcd = context.openXrcd();
        QueuePair rc = pd().createQp(QpInitAttr.rc(cq));
        QueuePair qp = context.createQpEx(QpInitAttr.xrcRecv(xrcd))) {
      Refused.of(() -> context.openQp(new QpOpenAttr(xrcd, rc.qpNum())), Errno.ENOENT)
          .from("openQp");
      Refused.of(
          () -> context.openQp(new QpOpenAttr(xrcd, qp.qpNum()).qpType(QpType.RC)), Errno.EINVAL);
      Refused.of(() -> other.openQp(new QpOpenAttr(xrcd, qp.qpNum())), Errno.EINVAL);
      QueuePair opened = context.openQp(new QpOpenAttr(xrcd, qp.qpNum()));
      assertThat(opened.qpType()).isEqualTo(QpType.XRC_RECV);
      assertThat(opened.state()).isEqualTo(QpState.RESET);
      walkToRts(opened);
      assertThat(qp.query().qpState()).isEqualTo(QpState.RTS);
      opened.destroy();
      Refused.of(opened::query, Errno.EBADF);
      assertThat(qp.query().qpState()).isEqualTo(QpState.RTS);
      int number = qp.qpNum();
      qp.destroy();
      Refused.of(() -> context.openQp(new QpOpenAttr(xrcd, number)), Errno.ENOENT);
    }
  }

  @Test
  @Proves({"S7.4", "S3.1.3"})
  void anInitiatorHasNoReceiveSide() {
    CompletionQueue unused = other.createCq(1);
    QpInitAttr attr = QpInitAttr.xrcSend(cq).recvCq(unused).maxRecvWr(-1).maxRecvSge(1 << 20);
    try (QueuePair qp = pd().createQp(attr)) {
      assertThat(qp.recvCq()).isNull();
      assertThat(qp.srq()).isNull();
      assertThat(qp.sendCq()).isSameAs(cq);
      assertThat(qp.query().cap().maxRecvWr()).isZero();
      Refusal.with(Errno.EINVAL, () -> qp.postRecv(new RecvWr()));
    }
    Refused.of(() -> pd().createQp(new QpInitAttr(QpType.XRC_SEND)), Errno.EINVAL);
    try (XrcDomain xrcd = context.openXrcd()) {
      Refused.of(() -> pd().createQp(QpInitAttr.xrcSend(cq).xrcd(xrcd)), Errno.EINVAL);
    }
  }

  @Test
  @Proves("S7.4")
  void anInitiatorNeedsNoLimitsForWhatItDoesNotServe() {
    try (QueuePair qp = pd().createQp(QpInitAttr.xrcSend(cq))) {
      PairSetup setup = PairSetup.on(TckLink.plain());
      setup.toInit(qp);
      QpAttr rtr = setup.rtrAttr(qp.endpoint());
      Refused.of(() -> qp.modify(rtr), Errno.EINVAL).naming("MAX_DEST_RD_ATOMIC");
      QpAttr fewer =
          new QpAttr()
              .qpState(QpState.RTR)
              .ahAttr(rtr.ahAttr())
              .pathMtu(rtr.pathMtu())
              .destQpNum(rtr.destQpNum())
              .rqPsn(rtr.rqPsn());
      qp.modify(fewer);
      QpAttr incomplete = new QpAttr().qpState(QpState.RTS).sqPsn(1).timeout(14);
      Refused.of(() -> qp.modify(incomplete), Errno.EINVAL).naming("RETRY_CNT");
      setup.toRts(qp);
      assertThat(qp.query().qpState()).isEqualTo(QpState.RTS);
    }
  }

  @Test
  @Proves("PS-020")
  void theNumberOfASharedQueueHas24Bits() {
    try (QueuePair qp = pd().createQp(QpInitAttr.xrcSend(cq))) {
      PairSetup setup = PairSetup.on(TckLink.plain());
      setup.toInit(qp);
      QpAttr rtr = setup.rtrAttr(qp.endpoint());
      qp.modify(
          new QpAttr()
              .qpState(QpState.RTR)
              .ahAttr(rtr.ahAttr())
              .pathMtu(rtr.pathMtu())
              .destQpNum(rtr.destQpNum())
              .rqPsn(rtr.rqPsn()));
      setup.toRts(qp);
      for (int number : new int[] {0x100_0000, -1}) {
        SendWr wr = new SendWr().opcode(WrOpcode.SEND).remoteSrqn(number);
        assertThat(Refusal.with(Errno.EINVAL, () -> qp.postSend(wr)).badSendWr()).isSameAs(wr);
      }
    }
  }

  private static void walkToRts(QueuePair target) {
    PairSetup setup = PairSetup.on(TckLink.plain());
    setup.toInit(target);
    setup.toRtr(target, target.endpoint());
    target.modify(new QpAttr().qpState(QpState.RTS).timeout(14).sqPsn(1));
  }

  private ProtectionDomain pd() {
    return context.allocPd();
  }
}
