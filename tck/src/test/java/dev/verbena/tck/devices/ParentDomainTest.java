package dev.verbena.tck.devices;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ParentDomain;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ThreadDomain;
import dev.verbena.verbs.WcStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Parent domains and thread domains: S11.8. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Proves("S11.8")
final class ParentDomainTest {
  private final Context context = Devices.open(TckLink.selected().getFirst().device());

  @AfterAll
  void closeContext() {
    context.close();
  }

  @Test
  void aThreadDomainStaysWhileAParentDomainUsesIt() {
    ThreadDomain td = context.allocTd();
    assertThat(td.context()).isSameAs(context);
    ProtectionDomain pd = context.allocPd();
    ParentDomain first = context.allocParentDomain(pd, td);
    ParentDomain second = context.allocParentDomain(pd, td);
    Refused.of(td::dealloc, Errno.EBUSY).from("deallocTd", "dealloc");
    first.dealloc();
    Refused.of(td::dealloc, Errno.EBUSY);
    second.dealloc();
    td.dealloc();
    td.close();
    pd.dealloc();
  }

  @Test
  void aParentDomainNeedsADomainThatIsNoneItself() {
    ProtectionDomain pd = context.allocPd();
    ParentDomain parent = context.allocParentDomain(pd, null);
    assertThat(parent.td()).isNull();
    assertThat(parent.pd()).isSameAs(pd);
    assertThat(parent.context()).isSameAs(context);
    Refused.of(() -> context.allocParentDomain(parent, null), Errno.EINVAL).naming("parent");
    Refused.of(() -> context.allocParentDomain(missing(), null), Errno.EINVAL);
    parent.dealloc();
    pd.dealloc();
  }

  @SuppressWarnings("NullAway") // what a caller without null checks would pass
  private static ProtectionDomain missing() {
    return null;
  }

  @Test
  void theDomainBelowStaysUntilTheParentIsGone() {
    ProtectionDomain pd = context.allocPd();
    ParentDomain parent = context.allocParentDomain(pd, null);
    MemoryRegion mr = parent.allocMr(64, Access.LOCAL_WRITE);
    AddressHandle ah = parent.createAh(Addresses.of(context));
    QueuePair qp = parent.createQp(QpInitAttr.rc(context.createCq(4)));
    assertThat(mr.pd()).isSameAs(parent);
    assertThat(qp.pd()).isSameAs(parent);
    Refused.of(pd::dealloc, Errno.EBUSY).naming("parent domain");
    Refused.of(parent::dealloc, Errno.EBUSY);
    qp.destroy();
    Refused.of(parent::dealloc, Errno.EBUSY);
    ah.destroy();
    Refused.of(parent::dealloc, Errno.EBUSY);
    mr.dereg();
    Refused.of(pd::dealloc, Errno.EBUSY);
    parent.dealloc();
    pd.dealloc();
  }

  @OnEveryLinkAndApi
  void regionsAndQueuePairsOfParentAndDomainWorkTogether(TckLink link, PostingApi api) {
    for (boolean threadDomain : new boolean[] {false, true}) {
      PairSetup setup = PairSetup.on(link);
      try (QpPair base = setup.openUnconnected()) {
        QpEnd right = base.right();
        ProtectionDomain pd = base.left().pd();
        Context left = pd.context();
        ParentDomain parent = left.allocParentDomain(pd, threadDomain ? left.allocTd() : null);
        QpEnd onParent = setup.end(left, parent);
        setup.connect(new QpPair(onParent, right));
        MemoryRegion below = base.left().mr();

        right.fill(0, 64, 1);
        api.post(onParent.qp(), SendWrs.read(1, right, 0, below.sge(64, 0)));
        onParent.sent(1);
        assertThat(base.left().bytes(0, 64)).isEqualTo(right.bytes(0, 64));
        onParent.fill(0, 64, 2);
        api.post(right.qp(), SendWrs.read(2, onParent, 0, right.sge(128, 64)));
        right.sent(2);
        assertThat(right.bytes(128, 64)).isEqualTo(onParent.bytes(0, 64));
        api.post(right.qp(), SendWrs.read(3, base.left(), 0, right.sge(256, 64)));
        right.sent(3);
        assertThat(right.bytes(256, 64)).isEqualTo(right.bytes(0, 64));

        ProtectionDomain other = left.allocPd();
        MemoryRegion foreign = other.allocMr(64, Access.LOCAL_WRITE);
        api.post(onParent.qp(), SendWrs.read(4, right, 0, foreign.sge()));
        onParent.awaitSend(4, WcStatus.LOC_PROT_ERR);
      }
    }
  }

  @OnEveryLink
  void regionsOfAParentDomainWorkWithQueuePairsOfTheDomain(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      ParentDomain parent = left.context().allocParentDomain(left.pd(), null);
      MemoryRegion mr = parent.allocMr(64, Access.LOCAL_WRITE);
      pair.right().fill(0, 64, 3);
      left.qp().postSend(SendWrs.read(1, pair.right(), 0, mr.sge()));
      left.sent(1);
      assertThat(mr.memory().toArray(JAVA_BYTE)).isEqualTo(pair.right().bytes(0, 64));
    }
  }
}
