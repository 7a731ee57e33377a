package dev.verbena.tck.queuepairs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.RnrRetries;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.WcStatus;

/** The observable effect of modifying a connected queue pair: S4.3, S4.4.2. */
final class QpModifyEffectTest {
  private static final long FLOOR_NANOS = 4096;

  /** RNR timer code 20. */
  private static final long TEN_MILLISECONDS = 10_240_000;

  @OnEveryLink
  @Proves("S4.3/SQD-SQD")
  void moreRetriesAndALongerTimeoutCountAtOnce(TckLink link) {
    PairSetup setup = PairSetup.on(link).timeout(4).retryCnt(0);
    try (QpPair pair = setup.open()) {
      QpEnd left = pair.left();
      inSqd(left, new QpAttr().retryCnt(4).timeout(11));
      pair.right().qp().modify(new QpAttr().qpState(QpState.RESET));
      long before = left.context().counters().get(Counter.TIMEOUTS);
      long start = System.nanoTime();

      left.qp().postSend(SendWrs.send(1));

      left.awaitSend(1, WcStatus.RETRY_EXC_ERR);
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(5 * (FLOOR_NANOS << 11));
      assertThat(left.context().counters().get(Counter.TIMEOUTS) - before).isEqualTo(5);
    }
  }

  @OnEveryLink
  @Proves("S4.3/SQD-SQD")
  void moreRnrRetriesCountAtOnce(TckLink link) {
    try (QpPair pair = PairSetup.on(link).rnrRetry(0).minRnrTimer(1).open()) {
      QpEnd left = pair.left();
      inSqd(left, new QpAttr().rnrRetry(3));

      left.qp().postSend(SendWrs.send(1));

      left.awaitSend(1, WcStatus.RNR_RETRY_EXC_ERR);
      RnrRetries.assertSpent(link, left.context(), 3);
    }
  }

  @OnEveryLink
  @Proves({"S4.3/RTS-RTS", "S4.3/SQD-SQD"})
  void aLongerRnrTimerIsWhatTheNextRefusalAsksFor(TckLink link) {
    for (boolean inSqd : new boolean[] {false, true}) {
      try (QpPair pair = PairSetup.on(link).rnrRetry(1).minRnrTimer(1).open()) {
        QpAttr tenMilliseconds = new QpAttr().minRnrTimer(20);
        if (inSqd) {
          inSqd(pair.right(), tenMilliseconds);
        } else {
          pair.right().qp().modify(tenMilliseconds);
        }
        long start = System.nanoTime();
        pair.left().qp().postSend(SendWrs.send(1));
        pair.left().awaitSend(1, WcStatus.RNR_RETRY_EXC_ERR);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TEN_MILLISECONDS);
      }
    }
  }

  @OnEveryLink
  @Proves({"S4.3/RTS-RTS", "S4.3/SQD-SQD", "S4.4.2"})
  void rightsThatAreTakenAndGivenAreTheNextRequests(TckLink link) {
    for (boolean inSqd : new boolean[] {false, true}) {
      PairSetup setup = PairSetup.on(link);
      try (QpPair pair = setup.open()) {
        QpEnd left = pair.left();
        QpEnd right = pair.right();
        left.qp().postSend(SendWrs.write(1, right, 0, left.sge(0, 8)));
        left.sent(1);
        access(right, inSqd, Access.REMOTE_READ);
        left.qp().postSend(SendWrs.read(2, right, 0, left.sge(0, 8)));
        left.sent(2);
        access(right, inSqd, Access.REMOTE_WRITE);
        left.qp().postSend(SendWrs.write(3, right, 0, left.sge(0, 8)));
        left.sent(3);
        left.qp().postSend(SendWrs.read(4, right, 0, left.sge(0, 8)));
        left.awaitSend(4, WcStatus.REM_INV_REQ_ERR, WcStatus.REM_ACCESS_ERR);
      }
    }
  }

  @OnEveryLink
  @Proves({"S4.3/RTR-RTS", "S4.4.2"})
  void whatIsChangedOnTheWayToRtsCountsFromThenOn(TckLink link) {
    PairSetup setup = PairSetup.on(link).rnrRetry(1).minRnrTimer(1);
    try (QpPair pair = setup.openUnconnected()) {
      connectForReads(setup, pair);
      QpEnd left = pair.left();
      left.qp().postSend(SendWrs.read(1, pair.right(), 0, left.sge(0, 8)));
      left.sent(1);
      long start = System.nanoTime();
      left.qp().postSend(SendWrs.send(2));
      left.awaitSend(2, WcStatus.RNR_RETRY_EXC_ERR);
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TEN_MILLISECONDS);
    }
    try (QpPair pair = setup.openUnconnected()) {
      connectForReads(setup, pair);
      QpEnd left = pair.left();
      left.qp().postSend(SendWrs.write(1, pair.right(), 0, left.sge(0, 8)));
      left.awaitSend(1, WcStatus.REM_INV_REQ_ERR, WcStatus.REM_ACCESS_ERR);
    }
  }

  /** The right end revokes all rights but reading when it enters RTS, and is slower. */
  private static void connectForReads(PairSetup setup, QpPair pair) {
    QueuePair right = pair.right().qp();
    setup.connect(pair.left().qp(), right.endpoint());
    setup.toInit(right);
    setup.toRtr(right, pair.left().qp().endpoint());
    QpAttr attr = setup.rtsAttr(right.endpoint().psn());
    right.modify(attr.qpAccessFlags(Access.REMOTE_READ).minRnrTimer(20));
  }

  @OnEveryLink(of = LinkLayer.ETHERNET)
  @Proves("S4.3/SQD-SQD")
  void anotherAddressOfThePeerIsUsedAtOnceForBothDirections(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.openUnconnected()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      AhAttr nobody = AhAttr.to(Gid.parse(Addresses.next()));
      AhAttr peer = AhAttr.to(right.qp().endpoint());
      setup.toInit(left.qp());
      left.qp().modify(setup.rtrAttr(right.qp().endpoint()).ahAttr(nobody));
      setup.toRts(left.qp());
      setup.connect(right.qp(), left.qp().endpoint());

      inSqd(left, new QpAttr().ahAttr(peer));

      byte[] data = left.fill(0, 3000, 1);
      left.qp().postSend(SendWrs.write(1, right, 0, left.sge(0, 3000)));
      left.sent(1);
      assertThat(right.bytes(0, 3000)).isEqualTo(data);
      right.qp().postSend(SendWrs.read(2, left, 0, right.sge(8192, 3000)));
      right.sent(2);
      assertThat(right.bytes(8192, 3000)).isEqualTo(data);
    }
  }

  @OnEveryLink
  @Proves({"S4.3/SQD-SQD", "S12.6.11"})
  void aTargetThatIsToldToAllowReadsAllowsThem(TckLink link) {
    try (QpPair pair = PairSetup.on(link).maxRdAtomic(2).maxDestRdAtomic(0).open()) {
      QpEnd left = pair.left();
      inSqd(pair.right(), new QpAttr().maxDestRdAtomic(2));
      for (int id = 1; id <= 20; id++) {
        left.qp().postSend(SendWrs.read(id, pair.right(), 0, left.sge(0, 3000)));
      }
      for (int id = 1; id <= 20; id++) {
        left.sent(id);
      }
      inSqd(pair.right(), new QpAttr().maxDestRdAtomic(0));
      left.qp().postSend(SendWrs.fetchAdd(21, pair.right(), 0, 1, left.sge(0, 8)));
      left.awaitSend(21, WcStatus.REM_INV_REQ_ERR);
    }
  }

  @OnEveryLink
  @Proves({"S4.3/SQD-SQD", "S12.5.4"})
  void aRequesterThatMayHaveNoReadsHoldsThemUntilItMay(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      byte[] data = right.fill(0, 3000, 4);
      inSqd(left, new QpAttr().maxRdAtomic(0));
      left.qp().postSend(SendWrs.read(1, right, 0, left.sge(0, 3000)));
      right.qp().postSend(SendWrs.write(2, left, 4096, right.sge(0, 8)));
      right.sent(2);
      left.assertNothingSent();
      assertThat(left.bytes(0, 3000)).containsOnly(0);

      inSqd(left, new QpAttr().maxRdAtomic(1));

      left.sent(1);
      assertThat(left.bytes(0, 3000)).isEqualTo(data);
    }
  }

  private static void access(QpEnd end, boolean inSqd, int rights) {
    QpAttr attr = new QpAttr().qpAccessFlags(rights);
    if (inSqd) {
      inSqd(end, attr);
    } else {
      end.qp().modify(attr);
    }
  }

  /** Changes a queue pair in SQD, with nothing outstanding, and goes on. */
  private static void inSqd(QpEnd end, QpAttr attr) {
    end.qp().modify(new QpAttr().qpState(QpState.SQD));
    end.awaitDrained();
    end.qp().modify(attr);
    end.qp().modify(new QpAttr().qpState(QpState.RTS));
  }
}
