package dev.verbena.tck.lifetimes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ParentDomain;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpOpenAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.ThreadDomain;
import dev.verbena.verbs.XrcDomain;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Ownership and use: destroy refuses, close cascades down but never sideways. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OwnershipTest {
  private final Context context = Devices.open(TckLink.selected().getFirst().device());

  @AfterAll
  void closeContext() {
    context.close();
  }

  @Test
  void aDomainWithChildrenIsBusyUntilTheyAreGone() {
    ProtectionDomain pd = context.allocPd();
    CompletionQueue cq = context.createCq(4);

    MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE);
    Refused.of(pd::dealloc, Errno.EBUSY).from("deallocPd", "dealloc");
    mr.dereg();

    QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
    Refused.of(pd::dealloc, Errno.EBUSY);
    assertThat(pd.isClosed()).isFalse();
    qp.destroy();

    AddressHandle ah = pd.createAh(Addresses.of(context));
    Refused.of(pd::dealloc, Errno.EBUSY);
    ah.destroy();

    ParentDomain parent = context.allocParentDomain(pd, null);
    Refused.of(pd::dealloc, Errno.EBUSY);
    parent.dealloc();

    pd.dealloc();
    assertThat(pd.isClosed()).isTrue();
  }

  @Test
  void closingADomainClosesItsChildrenButNotTheirQueues() {
    ProtectionDomain pd = context.allocPd();
    CompletionQueue cq = context.createCq(4);
    MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE);
    QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
    AddressHandle ah = pd.createAh(Addresses.of(context));
    ParentDomain parent = context.allocParentDomain(pd, null);
    QueuePair onParent = parent.createQp(QpInitAttr.rc(cq));

    pd.close();

    assertThat(qp.isClosed()).isTrue();
    assertThat(onParent.isClosed()).isTrue();
    assertThat(mr.isClosed()).isTrue();
    assertThat(ah.isClosed()).isTrue();
    assertThat(parent.isClosed()).isTrue();
    assertThat(cq.isClosed()).isFalse();
    cq.destroy();
  }

  @Test
  void aThreadDomainIsBusyWhileAParentDomainUsesIt() {
    ProtectionDomain pd = context.allocPd();
    ThreadDomain td = context.allocTd();
    ParentDomain parent = context.allocParentDomain(pd, td);
    assertThat(parent.td()).isSameAs(td);
    assertThat(parent.pd()).isSameAs(pd);
    Refused.of(td::dealloc, Errno.EBUSY);
    Refused.of(td::close, Errno.EBUSY);
    QueuePair qp = parent.createQp(QpInitAttr.rc(context.createCq(4)));
    assertThat(qp.pd()).isSameAs(parent);
    Refused.of(parent::dealloc, Errno.EBUSY);
    qp.destroy();
    parent.dealloc();
    td.dealloc();
    assertThat(td.isClosed()).isTrue();
    pd.dealloc();
  }

  @Test
  @Proves({"S6.5", "S6.19"})
  void aQueueIsBusyWhileAQueuePairSendsOrReceivesByIt() {
    ProtectionDomain pd = context.allocPd();
    CompletionQueue sendCq = context.createCq(4);
    CompletionQueue recvCq = context.createCq(4);
    QueuePair qp = pd.createQp(new QpInitAttr(QpType.RC).sendCq(sendCq).recvCq(recvCq));
    for (CompletionQueue cq : new CompletionQueue[] {sendCq, recvCq}) {
      Refused.of(cq::destroy, Errno.EBUSY).from("destroyCq", "destroy");
      Refused.of(cq::close, Errno.EBUSY);
      assertThat(cq.isClosed()).isFalse();
    }
    qp.destroy();
    sendCq.destroy();
    sendCq.close();
    recvCq.close();
    recvCq.close();
    pd.dealloc();
  }

  @Test
  @Proves("S6.10")
  void aChannelIsBusyWhileAQueueUsesIt() {
    CompletionChannel channel = context.createCompChannel();
    CompletionQueue first = context.createCq(4, channel);
    CompletionQueue second = context.createCq(4, channel);
    Refused.of(channel::destroy, Errno.EBUSY).from("destroyCompChannel", "destroy");
    Refused.of(channel::close, Errno.EBUSY);
    assertThat(channel.isClosed()).isFalse();
    first.destroy();
    Refused.of(channel::destroy, Errno.EBUSY);
    second.destroy();
    channel.destroy();
    assertThat(channel.isClosed()).isTrue();
    channel.close();
  }

  @OnEveryLink
  void closingAContextAcknowledgesEventsThatWereTaken(TckLink link) throws Exception {
    try (QpPair pair = QpPair.open(link)) {
      pair.right().qp().modify(new QpAttr().qpState(QpState.SQD).enSqdAsyncNotify(true));
      AsyncEvent taken = Events.await(pair.right().context(), EventType.SQ_DRAINED);
      Background.run(pair.right().context()::close).result();
      assertThat(pair.right().qp().isClosed()).isTrue();
      taken.ack();
    }
  }

  @Test
  void objectsOfAnotherContextAreRefused() {
    try (Context other = Devices.open(context.device().spec())) {
      ProtectionDomain pd = context.allocPd();
      Refused.of(() -> other.allocParentDomain(pd, null), Errno.EINVAL).naming("context");
      ProtectionDomain otherPd = other.allocPd();
      ThreadDomain td = context.allocTd();
      Refused.of(() -> other.allocParentDomain(otherPd, td), Errno.EINVAL).naming("context");
      ParentDomain parent = other.allocParentDomain(otherPd, null);
      Refused.of(() -> other.allocParentDomain(parent, null), Errno.EINVAL);
      td.dealloc();
      pd.dealloc();
    }
  }

  @Test
  @Proves({"S7.2", "S7.3"})
  void oneObjectOfAnotherContextIsRefusedThoughTheOthersAreRight() {
    try (Context other = Devices.open(context.device().spec())) {
      ProtectionDomain pd = context.allocPd();
      CompletionQueue cq = context.createCq(4);
      XrcDomain xrcd = context.openXrcd();
      CompletionQueue foreignCq = other.createCq(4);
      XrcDomain foreignXrcd = other.openXrcd();
      Refused.of(() -> pd.createSrq(SrqInitAttr.xrc(foreignXrcd, cq, 4, 1)), Errno.EINVAL)
          .from("createSrq")
          .naming("XRC");
      Refused.of(() -> pd.createSrq(SrqInitAttr.xrc(xrcd, foreignCq, 4, 1)), Errno.EINVAL)
          .from("createSrq")
          .naming("CQ");
      QpInitAttr init = QpInitAttr.xrcRecv(foreignXrcd);
      Refused.of(() -> context.createQpEx(init), Errno.EINVAL);
      QueuePair target = other.createQpEx(init);
      QpOpenAttr open = new QpOpenAttr(foreignXrcd, target.qpNum());
      Refused.of(() -> context.openQp(open), Errno.EINVAL);
      pd.createSrq(SrqInitAttr.xrc(xrcd, cq, 4, 1)).destroy();
      xrcd.close();
      cq.destroy();
      pd.dealloc();
    }
  }
}
