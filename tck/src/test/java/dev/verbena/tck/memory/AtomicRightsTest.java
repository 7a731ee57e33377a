package dev.verbena.tck.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.links.ByPacketsToo;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.MwSetup;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AtomicCap;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/** The rights that an atomic needs at both ends: S5.4.3. */
@ByPacketsToo
final class AtomicRightsTest {
  private static final int WITHOUT = Access.REMOTE_READ | Access.REMOTE_WRITE;

  private static SendWr add(QpPair pair, int rkey, long addr) {
    return SendWrs.fetchAdd(1, pair.right(), 0, 5, pair.left().sge(64, 8))
        .rkey(rkey)
        .remoteAddr(addr);
  }

  /** A first message comes through: from then on the loopback passes whole atomics. */
  private static void begin(QpPair pair) {
    pair.left()
        .qp()
        .postSend(SendWrs.write(8, pair.right(), 128, pair.left().sge(128, Long.BYTES)));
    pair.left().sent(8);
  }

  @OnEveryLinkAndApi
  @Proves({"S5.4.3", "S5.4.6", "S5.2.2"})
  void aWindowWithTheRightIsEnoughAndOneWithoutIsNot(TckLink link, PostingApi api) {
    for (boolean allowed : new boolean[] {true, false}) {
      try (QpPair pair = MwSetup.reliable(link).open()) {
        assertThat(pair.right().context().queryDevice().atomicCap()).isNotEqualTo(AtomicCap.NONE);
        MemoryRegion mr = MwSetup.region(pair.right());
        MemoryWindow mw = MwSetup.type2(pair.right());
        int rights = allowed ? Access.REMOTE_ATOMIC : WITHOUT;
        api.post(pair.right().qp(), MwSetup.bind(9, mw, 1, MwSetup.all(mr, rights)));
        pair.right().sent(9);
        begin(pair);
        api.post(pair.left().qp(), add(pair, MwSetup.key(mw, 1), mr.addr()));
        pair.left().awaitSend(1, allowed ? WcStatus.SUCCESS : WcStatus.REM_ACCESS_ERR);
        assertThat(mr.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(allowed ? 5 : 0);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves("S5.4.3")
  void queuePairRegionAndLandingMustAllowIt(TckLink link, PostingApi api) {
    try (QpPair pair = PairSetup.on(link).qpAccess(WITHOUT).open()) {
      begin(pair);
      api.post(pair.left().qp(), add(pair, pair.right().rkey(), pair.right().addr(0)));
      assertThat(pair.left().awaitSend(1).isSuccess()).isFalse();
    }
    try (QpPair pair = PairSetup.on(link).mrAccess(Access.LOCAL_WRITE, WITHOUT).open()) {
      begin(pair);
      api.post(pair.left().qp(), add(pair, pair.right().rkey(), pair.right().addr(0)));
      pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
    }
    try (QpPair pair = QpPair.open(link)) {
      begin(pair);
      MemoryRegion landing = pair.left().pd().allocMr(64);
      SendWr wr = add(pair, pair.right().rkey(), pair.right().addr(0));
      api.post(pair.left().qp(), wr.sgList(landing.sge(8, 0)));
      pair.left().awaitSend(1, WcStatus.LOC_PROT_ERR);
      assertThat(pair.right().getLong(0)).as("the target").isZero();
    }
  }

  @OnEveryLinkAndApi
  @Proves("S5.4.3")
  void theTargetMustBeAlignedInMemoryToo(TckLink link, PostingApi api) {
    try (QpPair pair = QpPair.open(link)) {
      var memory = Arena.global().allocate(64, 8);
      MemoryRegion mr =
          pair.right()
              .pd()
              .regMrIova(memory.asSlice(4), 0x1000, Access.LOCAL_WRITE, Access.REMOTE_ATOMIC);
      begin(pair);
      api.post(pair.left().qp(), add(pair, mr.rkey(), 0x1000));
      pair.left().awaitSend(1, WcStatus.REM_INV_REQ_ERR);
      assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isZero();
    }
  }
}
