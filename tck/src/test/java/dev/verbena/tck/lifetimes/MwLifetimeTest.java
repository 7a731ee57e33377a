package dev.verbena.tck.lifetimes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.MwSetup;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.DeviceCap;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ParentDomain;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.ReregFlags;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The ends of memory windows, of their regions and of the binding queue pairs: S5.3.10, S5.3.12,
 * S5.1.6, S6.18.
 */
final class MwLifetimeTest {
  private static final int BIG = 1 << 20;

  @OnEveryLink
  @Proves({"S5.1.6", "S6.18", "S5.1.7"})
  void aRegionWithAWindowIsBusyAndStaysAsItIs(TckLink link) {
    try (QpPair pair = MwSetup.reliable(link).open()) {
      QpEnd right = pair.right();
      MemoryRegion mr = MwSetup.region(right);
      for (MwType type : MwType.values()) {
        MemoryWindow mw = right.pd().allocMw(type);
        int key;
        if (type == MwType.TYPE_2) {
          key = MwSetup.bound(right, PostingApi.POST_SEND, mw, 1, mr, MwSetup.RIGHTS);
        } else {
          right.qp().bindMw(mw, MwSetup.bind(1, MwSetup.all(mr, MwSetup.RIGHTS)));
          right.sent(1);
          key = mw.rkey();
        }
        Refused.of(mr::dereg, Errno.EBUSY).from("deregMr");
        Refused.of(mr::close, Errno.EBUSY);
        Refused.of(
            () -> mr.rereg(ReregFlags.CHANGE_ACCESS, null, null, Access.LOCAL_WRITE), Errno.EBUSY);
        ProtectionDomain other = right.context().allocPd();
        Refused.of(() -> mr.rereg(ReregFlags.CHANGE_PD, other, null), Errno.EBUSY);
        other.dealloc();
        assertThat(mr.isClosed()).isFalse();
        assertThat(mr.access()).isEqualTo(Access.LOCAL_WRITE | Access.MW_BIND);
        pair.left().qp().postSend(MwSetup.write(2, pair, key, mr.addr()));
        pair.left().sent(2);
        mw.dealloc();
      }
      mr.rereg(ReregFlags.CHANGE_ACCESS, null, null, Access.LOCAL_WRITE);
      mr.dereg();
      assertThat(mr.isClosed()).isTrue();
    }
  }

  @OnEveryLink
  @Proves("S5.3.10")
  void deallocatingUnbinds(TckLink link) {
    try (QpPair pair = MwSetup.reliable(link).open()) {
      QpEnd right = pair.right();
      MemoryRegion mr = MwSetup.region(right);
      MemoryWindow mw = MwSetup.type2(right);
      int key = MwSetup.bound(right, PostingApi.POST_SEND, mw, 1, mr, MwSetup.RIGHTS);
      mw.dealloc();
      assertThat(mw.isClosed()).isTrue();
      long addr = mr.addr();
      mr.dereg();
      pair.left().qp().postSend(MwSetup.write(1, pair, key, addr));
      pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
    }
  }

  @OnEveryLink
  @Proves("S5.3.12")
  void aWindowIsFreeOnceItsQueuePairEndsOrIsReset(TckLink link) {
    PairSetup setup = MwSetup.reliable(link);
    try (QpPair pair = setup.open()) {
      for (boolean destroy : new boolean[] {false, true}) {
        QpPair next = setup.another(pair);
        QpEnd right = next.right();
        MemoryRegion mr = MwSetup.region(right);
        MemoryWindow mw = MwSetup.type2(right);
        MwSetup.bound(right, PostingApi.POST_SEND, mw, 1, mr, MwSetup.RIGHTS);
        Refused.of(mr::dereg, Errno.EBUSY);
        if (destroy) {
          right.qp().destroy();
        } else {
          right.qp().modify(new QpAttr().qpState(QpState.RESET));
        }
        int key = MwSetup.bound(pair.right(), PostingApi.POST_SEND, mw, 2, mr, MwSetup.RIGHTS);
        pair.left().qp().postSend(MwSetup.write(3, pair, key, mr.addr()));
        pair.left().sent(3);
        mw.dealloc();
        mr.dereg();
      }
    }
  }

  @OnEveryLink
  @Proves({"S5.3.1", "S11.2"})
  void theDeviceSaysWhichWindowsItHas(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      DeviceAttr attr = pair.left().context().queryDevice();
      assertThat(attr.maxMw()).isPositive();
      int flags = attr.deviceCapFlags();
      assertThat(flags & DeviceCap.MEM_WINDOW).isNotZero();
      boolean is2A = (flags & DeviceCap.MEM_WINDOW_TYPE_2A) != 0;
      boolean is2B = (flags & DeviceCap.MEM_WINDOW_TYPE_2B) != 0;
      assertThat(is2A).isNotEqualTo(is2B);
      ProtectionDomain pd = pair.left().pd();
      for (MwType type : MwType.values()) {
        MemoryWindow mw = pd.allocMw(type);
        assertThat(mw.type()).isEqualTo(type);
        assertThat(mw.rkey()).isNotZero();
        assertThat(mw.pd()).isSameAs(pd);
        assertThat(mw.context()).isSameAs(pair.left().context());
        mw.close();
        mw.close();
        assertThat(mw.isClosed()).isTrue();
      }
    }
  }

  @OnEveryLink
  @Proves("S6.18")
  void aDomainIsBusyWhileItHasAWindowAndClosesItFirst(TckLink link) {
    try (QpPair pair = MwSetup.reliable(link).open()) {
      QpEnd right = pair.right();
      ProtectionDomain empty = right.context().allocPd();
      MemoryWindow lone = empty.allocMw(MwType.TYPE_1);
      Refused.of(empty::dealloc, Errno.EBUSY);
      lone.dealloc();
      empty.dealloc();

      MemoryRegion mr = MwSetup.region(right);
      MemoryWindow mw = MwSetup.type2(right);
      MwSetup.bound(right, PostingApi.POST_SEND, mw, 1, mr, MwSetup.RIGHTS);
      right.pd().close();
      assertThat(mw.isClosed()).isTrue();
      assertThat(mr.isClosed()).isTrue();
    }
  }

  @OnEveryLink
  @Proves("S6.18")
  void closingAParentDomainLeavesAloneWhatAWindowOutsideUses(TckLink link) {
    try (QpPair pair = MwSetup.reliable(link).open()) {
      QpEnd right = pair.right();
      ParentDomain parent = right.context().allocParentDomain(right.pd(), null);
      MemoryRegion mr = parent.allocMr(64, Access.LOCAL_WRITE, Access.MW_BIND);
      MemoryWindow mw = MwSetup.type2(right);
      MwSetup.bound(right, PostingApi.POST_SEND, mw, 1, mr, MwSetup.RIGHTS);
      Refused.of(parent::close, Errno.EBUSY);
      assertThat(mr.isClosed()).as("the bound region is closed").isFalse();
      mw.dealloc();
      parent.close();
      assertThat(mr.isClosed()).isTrue();
    }
  }

  /** Once an invalidation has completed, the memory belongs to its owner alone. */
  @OnEveryLink
  @Proves({"S5.3.9", "S5.3.3", "S5.3.10"})
  void nobodyTouchesTheMemoryOnceTheWindowIsInvalid(TckLink link) throws Exception {
    for (int way = 0; way < 4; way++) {
      try (QpPair pair = MwSetup.reliable(link).mrBytes(BIG).open()) {
        QpEnd right = pair.right();
        MemoryRegion mr = right.pd().allocMr(BIG, Access.LOCAL_WRITE, Access.MW_BIND);
        MemoryWindow mw = right.pd().allocMw(way == 3 ? MwType.TYPE_1 : MwType.TYPE_2);
        int key;
        if (way == 3) {
          right.qp().bindMw(mw, MwSetup.bind(1, MwSetup.all(mr, MwSetup.RIGHTS)));
          right.sent(1);
          key = mw.rkey();
        } else {
          key = MwSetup.bound(right, PostingApi.POST_SEND, mw, 1, mr, MwSetup.RIGHTS);
        }
        MemorySegment memory = mr.memory();
        Background<WorkCompletion> writer =
            Background.call(() -> pair.writeUntilRefused(BIG, key, mr.addr()));
        Await.until("the first bytes", () -> memory.get(ValueLayout.JAVA_BYTE, 0) == 1);

        switch (way) {
          case 0 -> {
            right.qp().postSend(MwSetup.invalidate(2, key));
            right.sent(2);
          }
          case 1 -> mw.dealloc();
          case 2 -> right.qp().modify(new QpAttr().qpState(QpState.RESET));
          default -> {
            right.qp().bindMw(mw, MwSetup.bind(2, MwSetup.all(right.pd().allocMr(64, 17), 0)));
            right.sent(2);
          }
        }
        memory.fill((byte) 7);
        WorkCompletion last = writer.result();
        assertThat(last.status()).isIn(WcStatus.REM_ACCESS_ERR, WcStatus.RETRY_EXC_ERR);
        byte[] seven = new byte[BIG];
        Arrays.fill(seven, (byte) 7);
        assertThat(memory.mismatch(MemorySegment.ofArray(seven))).isEqualTo(-1);
      }
    }
  }
}
