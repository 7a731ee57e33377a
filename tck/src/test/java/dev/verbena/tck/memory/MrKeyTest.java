package dev.verbena.tck.memory;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_ATOMIC;
import static dev.verbena.verbs.Access.REMOTE_READ;
import static dev.verbena.verbs.Access.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.links.ByPacketsToo;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.tck.kit.pairs.Topology;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcStatus;
import java.util.List;

/** Which keys give access to which memory: S5.2.3, S5.2.4. */
@ByPacketsToo
final class MrKeyTest {
  private static final int ALL = LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC;

  @OnEveryLink
  @Proves("S5.2.3")
  void aKeyOfAnotherDeviceOrContextOpensNothing(TckLink link) {
    for (Topology topology : List.of(Topology.TWO_DEVICES, Topology.TWO_CONTEXTS)) {
      PairSetup setup = PairSetup.on(link).topology(topology);
      try (QpPair pair = setup.open()) {
        assertRefused(pair, pair.left().rkey());
      }
    }
  }

  @OnEveryLink
  @Proves("S5.2.4")
  void aRegionWithoutRemoteRightsRefusesEveryRemoteOperation(TckLink link) {
    for (int operation = 0; operation < 3; operation++) {
      try (QpPair pair = QpPair.open(link)) {
        QpEnd right = pair.right();
        MemoryRegion closed = right.pd().regMr(right.mr().memory(), LOCAL_WRITE);
        SendWr wr = operations(pair).get(operation).rkey(closed.rkey());
        pair.left().qp().postSend(wr);
        pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
      }
    }
  }

  @OnEveryLink
  @Proves("S5.2.4")
  void aRemoteRightOpensItsOwnOperationOnly(TckLink link) {
    int[] rights = {REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC};
    for (int granted = 0; granted < rights.length; granted++) {
      for (int operation = 0; operation < rights.length; operation++) {
        try (QpPair pair = QpPair.open(link)) {
          QpEnd right = pair.right();
          MemoryRegion region = right.pd().regMr(right.mr().memory(), LOCAL_WRITE, rights[granted]);
          pair.left().qp().postSend(operations(pair).get(operation).rkey(region.rkey()));
          pair.left()
              .awaitSend(1, granted == operation ? WcStatus.SUCCESS : WcStatus.REM_ACCESS_ERR);
        }
      }
    }
  }

  @OnEveryLink
  @Proves("S5.2.4")
  void aLocalKeyIsNoRemoteKey(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      MemoryRegion target = pair.right().mr();
      if (target.lkey() != target.rkey()) {
        assertRefused(pair, target.lkey());
      } else {
        MemoryRegion local = pair.right().pd().regMr(target.memory(), LOCAL_WRITE);
        assertRefused(pair, local.lkey());
      }
    }
  }

  @OnEveryLink
  void aRegionOfAForeignProtectionDomainIsRefusedAtTheTarget(TckLink link) {
    for (int operation = 0; operation < 3; operation++) {
      try (QpPair pair = QpPair.open(link)) {
        ProtectionDomain foreign = pair.right().context().allocPd();
        MemoryRegion mr = foreign.regMr(pair.right().mr().memory(), ALL);
        byte[] untouched = pair.right().bytes(0, 64);
        pair.left().fill(0, 64, 1);
        byte[] landing = pair.left().bytes(0, 64);
        pair.left().qp().postSend(operations(pair).get(operation).rkey(mr.rkey()));
        pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
        assertThat(pair.right().bytes(0, 64)).isEqualTo(untouched);
        assertThat(pair.left().bytes(0, 64)).isEqualTo(landing);
      }
    }
  }

  @OnEveryLink
  @Proves("S5.2.1")
  void aRegionOfAForeignProtectionDomainIsRefusedAtTheReceiver(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd right = pair.right();
      MemoryRegion foreign = right.context().allocPd().regMr(right.mr().memory(), ALL);
      byte[] untouched = right.fill(0, 64, 3);
      right.postRecv(1, foreign.sge(64, 0));
      pair.left().qp().postSend(SendWrs.send(2, pair.left().sge(0, 8)));
      pair.left().awaitSend(2, WcStatus.REM_OP_ERR);
      assertThat(right.awaitRecv(1).status()).isIn(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR);
      assertThat(right.bytes(0, 64)).isEqualTo(untouched);
    }
  }

  @OnEveryLink
  void keysOfDeregisteredMemoryOpenNothingAnyMore(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      MemoryRegion gone = pair.right().pd().regMr(pair.right().mr().memory(), ALL);
      int stale = gone.rkey();
      gone.dereg();
      assertThat(gone.isClosed()).isTrue();
      for (int i = 0; i < 300; i++) {
        try (MemoryRegion next = pair.right().pd().regMr(pair.right().mr().memory(), ALL)) {
          assertThat(next.rkey()).as("key of registration %d", i).isNotEqualTo(stale);
        }
      }
      assertRefused(pair, stale);
    }
  }

  @OnEveryLink
  void aLocalKeyOfDeregisteredMemoryFailsTheRequest(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      MemoryRegion gone = left.pd().regMr(left.mr().memory(), ALL);
      int stale = gone.lkey();
      gone.dereg();
      left.qp().postSend(SendWrs.write(1, pair.right(), 0, left.sge(0, 64).lkey(stale)));
      left.awaitSend(1, WcStatus.LOC_PROT_ERR);
    }
  }

  private static void assertRefused(QpPair pair, int rkey) {
    byte[] untouched = pair.right().bytes(0, 64);
    pair.left().fill(0, 64, 1);
    pair.left().qp().postSend(operations(pair).getFirst().rkey(rkey));
    pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
    assertThat(pair.right().bytes(0, 64)).isEqualTo(untouched);
  }

  /** A WRITE, a READ and an atomic to the start of the right end's memory. */
  private static List<SendWr> operations(QpPair pair) {
    QpEnd left = pair.left();
    QpEnd right = pair.right();
    return List.of(
        SendWrs.write(1, right, 0, left.sge(0, 64)),
        SendWrs.read(1, right, 0, left.sge(0, 64)),
        SendWrs.fetchAdd(1, right, 0, 1, left.sge(0, 8)));
  }
}
