package dev.verbena.tck.receiving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.DeviceCap;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqAttr;
import dev.verbena.verbs.SrqAttrMask;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.SrqType;
import dev.verbena.verbs.WorkRequestException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Shared receive queues as objects, without traffic: S3.4. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SrqTest {
  private final Context context = Devices.open(TckLink.firstOnEthernet().device());
  private final ProtectionDomain pd = context.allocPd();
  private final CompletionQueue cq = context.createCq(16);
  private final DeviceAttr device = context.queryDevice();

  @BeforeAll
  void deviceHasThem() {
    Assumptions.assumeTrue(device.maxSrq() > 0, "max_srq is 0");
  }

  @AfterAll
  void closeContext() {
    context.close();
  }

  @Test
  @Proves("S3.4.1")
  void theSizesAreAtLeastWhatWasAskedForAndAreTold() {
    int[][] sizes = {{1, 0}, {1, 1}, {10, 2}, {device.maxSrqWr(), device.maxSrqSge()}};
    for (int[] size : sizes) {
      Object mine = new Object();
      SrqInitAttr attr = SrqInitAttr.basic(size[0], size[1]).srqContext(mine);
      try (SharedReceiveQueue srq = pd.createSrq(attr)) {
        assertThat(attr.maxWr()).isGreaterThanOrEqualTo(size[0]);
        assertThat(attr.maxSge()).isGreaterThanOrEqualTo(size[1]);
        assertAttr(srq.query(), attr.attr());
        assertThat(srq.query().srqLimit()).isZero();
        assertThat(srq.srqContext()).isSameAs(mine);
        assertThat(srq.pd()).isSameAs(pd);
        assertThat(srq.context()).isSameAs(context);
        assertThat(srq.srqType()).isEqualTo(SrqType.BASIC);
        assertThat(srq.xrcd()).isNull();
        assertThat(srq.cq()).isNull();
      }
    }
  }

  @Test
  @Proves("S3.4.1")
  void sizesOutOfRangeAreRefused() {
    int wr = device.maxSrqWr();
    int sge = device.maxSrqSge();
    Refused.of(() -> pd.createSrq(SrqInitAttr.basic(0, 1)), Errno.EINVAL).naming("max_wr=0");
    Refused.of(() -> pd.createSrq(SrqInitAttr.basic(-1, 1)), Errno.EINVAL);
    Refused.of(() -> pd.createSrq(SrqInitAttr.basic(wr + 1, 1)), Errno.EINVAL)
        .naming("max_wr", Integer.toString(wr));
    Refused.of(() -> pd.createSrq(SrqInitAttr.basic(1, -1)), Errno.EINVAL);
    Refused.of(() -> pd.createSrq(SrqInitAttr.basic(1, sge + 1)), Errno.EINVAL)
        .naming("max_sge", Integer.toString(sge));
  }

  @Test
  void aBasicQueueHasNeitherDomainNorCompletionQueueNorNumber() {
    Refused.of(() -> pd.createSrq(SrqInitAttr.basic(1, 1).cq(cq)), Errno.EINVAL);
    try (SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(1, 1))) {
      Refused.of(srq::srqNum, Errno.EOPNOTSUPP, Errno.EINVAL);
    }
  }

  @Test
  @Proves({"S3.4.2", "PR-015"})
  void itHoldsExactlyWhatItTellsWhateverQueuePairsDo() {
    try (SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(7, 1))) {
      int maxWr = srq.query().maxWr();
      for (int i = 0; i < maxWr - 1; i++) {
        srq.postRecv(new RecvWr());
      }
      RecvWr beyond = new RecvWr();
      RecvWr list = new RecvWr().next(beyond);
      WorkRequestException full = Refusal.with(Errno.ENOMEM, () -> srq.postRecv(list));
      assertThat(full.badRecvWr()).isSameAs(beyond);
      assertThat(full.index()).isEqualTo(1);
      Refusal.with(Errno.ENOMEM, () -> srq.postRecv(new RecvWr()));
      srq.postRecv(null);
    }
  }

  @Test
  @Proves({"S3.4.2", "PR-015"})
  void aReceiveWithTooManyElementsEndsTheListBeforeIt() {
    try (SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(4, 2));
        var mr = pd.allocMr(64)) {
      RecvWr bad = new RecvWr().wrId(42).sgList(mr.sge(8, 0), mr.sge(8, 8), mr.sge(8, 16));
      bad.next(new RecvWr());
      RecvWr list = new RecvWr().next(new RecvWr().next(bad));
      WorkRequestException refusal = Refusal.with(Errno.EINVAL, () -> srq.postRecv(list));
      assertThat(refusal.badRecvWr()).isSameAs(bad);
      assertThat(refusal).hasMessageContaining("3 SGEs").hasMessageContaining("max_sge=2");
      assertThat(refusal).hasMessageContaining(srq + ", wr_id 42, request 3 of the list: ");
      // Two are posted: the queue cannot be made smaller.
      Refused.of(() -> srq.modifyMaxWr(1), Errno.EINVAL);
      srq.modifyMaxWr(2);
    }
  }

  @Test
  @Proves("S3.4.5")
  void aLimitIsWithinTheSizeAndCanBeTakenBack() throws InterruptedException {
    try (SharedReceiveQueue srq = filled(10, 10)) {
      int maxWr = srq.query().maxWr();
      Refused.of(() -> srq.modifyLimit(maxWr + 1), Errno.EINVAL)
          .naming("srq_limit", Integer.toString(maxWr));
      Refused.of(() -> srq.modifyLimit(-1), Errno.EINVAL);
      assertThat(srq.query().srqLimit()).isZero();

      srq.modifyLimit(10);
      assertThat(srq.query().srqLimit()).isEqualTo(10);
      srq.modifyLimit(0);
      assertThat(srq.query().srqLimit()).isZero();
      Events.assertNone(context);
    }
  }

  @Test
  @Proves({"S3.4.5", "S10.3"})
  void aLimitThatIsReachedAlreadyIsAnEventAtOnce() throws InterruptedException {
    try (SharedReceiveQueue srq = filled(10, 3)) {
      srq.modifyLimit(4);
      try (AsyncEvent event = Events.await(context, EventType.SRQ_LIMIT_REACHED)) {
        assertThat(event.srq()).isSameAs(srq);
        assertThat(event.qp()).isNull();
        assertThat(event.cq()).isNull();
      }
      assertThat(srq.query().srqLimit()).isZero();
      Events.assertNone(context);
    }
  }

  @Test
  @Proves("S3.4.6")
  void itIsResizedOnlyIfWhatItHoldsAndItsLimitFit() {
    assertThat(device.deviceCapFlags() & DeviceCap.SRQ_RESIZE).isNotZero();
    try (SharedReceiveQueue srq = filled(8, 5)) {
      srq.modifyLimit(5);
      SrqAttr before = srq.query();
      Refused.of(() -> srq.modifyMaxWr(4), Errno.EINVAL).naming("max_wr=4");
      Refused.of(() -> srq.modifyMaxWr(0), Errno.EINVAL);
      Refused.of(() -> srq.modifyMaxWr(device.maxSrqWr() + 1), Errno.EINVAL);
      assertThat(srq.query()).isEqualTo(before);

      srq.modifyMaxWr(20);
      assertThat(srq.query().maxWr()).isGreaterThanOrEqualTo(20);
      srq.modifyLimit(0);
      for (int i = 5; i < srq.query().maxWr(); i++) {
        srq.postRecv(new RecvWr());
      }
      Refusal.with(Errno.ENOMEM, () -> srq.postRecv(new RecvWr()));
    }
    try (SharedReceiveQueue srq = filled(8, 8)) {
      srq.modifyLimit(8);
      SrqAttr before = srq.query();
      assertAttr(before, new SrqAttr(8, 1, 8));
      Refused.of(() -> srq.modifyMaxWr(7), Errno.EINVAL);
      assertThat(srq.query()).isEqualTo(before);
    }
  }

  @Test
  @Proves("S3.4.6")
  void aSizeBelowTheArmedLimitIsRefused() throws InterruptedException {
    try (SharedReceiveQueue srq = filled(8, 6)) {
      srq.modifyLimit(6);
      // 6 are held, so 5 would not fit anyway; with both values given, the limit decides.
      Refused.of(
              () -> srq.modify(new SrqAttr(6, 0, 7), SrqAttrMask.MAX_WR, SrqAttrMask.LIMIT),
              Errno.EINVAL)
          .naming("srq_limit=7", "max_wr=6");
      assertThat(srq.query()).isEqualTo(new SrqAttr(8, 1, 6));
      srq.modify(new SrqAttr(6, 0, 5), SrqAttrMask.MAX_WR | SrqAttrMask.LIMIT);
      assertThat(srq.query()).isEqualTo(new SrqAttr(6, 1, 5));
      Events.assertNone(context);
    }
  }

  @Test
  @Proves("S3.4.10")
  void aModifyNeedsAMaskThatIsKnown() {
    try (SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(4, 1))) {
      SrqAttr attr = new SrqAttr(8, 1, 2);
      SrqAttr before = srq.query();
      assertAttr(before, new SrqAttr(4, 1, 0));
      Refused.of(() -> srq.modify(attr), Errno.EINVAL);
      Refused.of(() -> srq.modify(attr, 0), Errno.EINVAL);
      Refused.of(() -> srq.modify(attr, SrqAttrMask.MAX_WR, 4), Errno.EINVAL);
      Refused.of(() -> srq.modify(attr, 1 << 31), Errno.EINVAL);
      assertThat(srq.query()).isEqualTo(before);
    }
  }

  @Test
  @Proves("S3.4.8")
  void itIsBusyWhileAQueuePairUsesIt() {
    SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(4, 1));
    QueuePair first = pd.createQp(QpInitAttr.rc(cq).srq(srq));
    QueuePair second = pd.createQp(QpInitAttr.rc(cq).srq(srq));
    Refused.of(srq::destroy, Errno.EBUSY).from("destroySrq", "destroy");
    Refused.of(srq::close, Errno.EBUSY);
    first.destroy();
    Refused.of(srq::destroy, Errno.EBUSY);
    srq.postRecv(new RecvWr());
    second.destroy();
    Refused.of(pd::dealloc, Errno.EBUSY).naming("SRQ");
    srq.destroy();
    assertThat(srq.isClosed()).isTrue();
    srq.close();
  }

  @Test
  @Proves("PY-008")
  void closingADomainClosesQueuePairsBeforeTheQueueThatTheyShare() {
    ProtectionDomain own = context.allocPd();
    SharedReceiveQueue srq = own.createSrq(SrqInitAttr.basic(4, 1));
    QueuePair qp = own.createQp(QpInitAttr.rc(cq).srq(srq));
    own.close();
    assertThat(srq.isClosed()).isTrue();
    assertThat(qp.isClosed()).isTrue();
  }

  @Test
  void aDomainIsNotClosedUnderAQueuePairOfAnotherOne() {
    ProtectionDomain own = context.allocPd();
    SharedReceiveQueue srq = own.createSrq(SrqInitAttr.basic(4, 1));
    QueuePair qp = pd.createQp(QpInitAttr.rc(cq).srq(srq));
    Refused.of(own::close, Errno.EBUSY);
    assertThat(srq.isClosed()).isFalse();
    qp.close();
    own.close();
  }

  @Test
  @Proves("S3.4.4")
  void theReceiveSizesOfItsQueuePairsDoNotCount() {
    try (SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(4, 1))) {
      QpInitAttr attr = QpInitAttr.rc(cq).srq(srq).maxRecvWr(-1).maxRecvSge(1 << 20);
      try (QueuePair qp = pd.createQp(attr)) {
        assertThat(qp.srq()).isSameAs(srq);
        QpInitAttr told = qp.queryInit();
        assertThat(told.srq()).isSameAs(srq);
        QpCap cap = qp.query().cap();
        assertThat(told.cap()).isEqualTo(cap);
        assertThat(cap.maxRecvWr()).isZero();
        assertThat(cap.maxRecvSge()).isZero();
        assertThat(cap.maxSendWr()).isGreaterThanOrEqualTo(attr.maxSendWr());
      }
    }
  }

  @Test
  @Proves({"S3.1.3", "PR-012"})
  void aQueuePairThatUsesItTakesNoReceives() {
    try (SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(4, 1));
        QueuePair qp = pd.createQp(QpInitAttr.rc(cq).srq(srq))) {
      RecvWr wr = new RecvWr();
      PairSetup setup = PairSetup.on(TckLink.plain());
      setup.toInit(qp);
      assertThat(Refusal.with(Errno.EINVAL, () -> qp.postRecv(wr)).badRecvWr()).isSameAs(wr);
      setup.toRtr(qp, qp.endpoint());
      setup.toRts(qp);
      Refusal.with(Errno.EINVAL, () -> qp.postRecv(wr));
      qp.modify(new QpAttr().qpState(QpState.ERR));
      Refusal.with(Errno.EINVAL, () -> qp.postRecv(wr));
      // Nothing of it went into the shared queue.
      for (int i = 0; i < srq.query().maxWr(); i++) {
        srq.postRecv(wr);
      }
      Refusal.with(Errno.ENOMEM, () -> srq.postRecv(wr));
    }
  }

  @Test
  void itIsForQueuePairsOfItsContext() {
    try (Context other = Devices.open(context.device().spec())) {
      SharedReceiveQueue foreign = other.allocPd().createSrq(SrqInitAttr.basic(4, 1));
      Refused.of(() -> pd.createQp(QpInitAttr.rc(cq).srq(foreign)), Errno.EINVAL);
      try (SharedReceiveQueue closed = pd.createSrq(SrqInitAttr.basic(4, 1))) {
        closed.destroy();
        Refused.of(() -> pd.createQp(QpInitAttr.rc(cq).srq(closed)), Errno.EBADF);
      }
    }
  }

  @Test
  @Proves("S3.4.3")
  void itIsForTypesThatReceiveMessagesOnly() {
    try (SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(4, 1))) {
      pd.createQp(QpInitAttr.rc(cq).srq(srq)).close();
      pd.createQp(QpInitAttr.uc(cq).srq(srq)).close();
      QpInitAttr raw = new QpInitAttr(QpType.RAW_PACKET).sendCq(cq).recvCq(cq);
      pd.createQp(raw).close();
      Refused.of(() -> pd.createQp(raw.srq(srq)), Errno.EINVAL, Errno.EOPNOTSUPP)
          .naming("RAW_PACKET");
    }
  }

  @Test
  @Proves("S10.2")
  void destroyingItWaitsUntilItsEventsAreAcknowledged() throws Exception {
    SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(4, 1));
    srq.modifyLimit(1);
    AsyncEvent event = Events.await(context, EventType.SRQ_LIMIT_REACHED);
    srq.modifyLimit(2);
    Background<Void> destroy = Background.run(srq::destroy).awaitBlocked();
    assertThat(srq.isClosed()).isFalse();
    event.ack();
    destroy.result();
    assertThat(srq.isClosed()).isTrue();
    // The second event was not taken, and never will be.
    Events.assertNone(context);
  }

  /** Devices of others may have room for more than was asked for; ours have not. */
  private static void assertAttr(SrqAttr told, SrqAttr asked) {
    assertThat(told.srqLimit()).isEqualTo(asked.srqLimit());
    assertThat(told.maxWr()).isGreaterThanOrEqualTo(asked.maxWr());
    if (!TckLink.areDevicesOfOthers()) {
      assertThat(told).isEqualTo(asked);
    }
  }

  /** A queue of one-element receives that holds some. */
  private SharedReceiveQueue filled(int maxWr, int posted) {
    SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(maxWr, 1));
    for (int i = 0; i < posted; i++) {
      srq.postRecv(new RecvWr());
    }
    return srq;
  }
}
