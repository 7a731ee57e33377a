package dev.verbena.tck.queuepairs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.tck.kit.pairs.StuckSend;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcStatus;

/** Draining a send queue, and the calls that are possible meanwhile: S4.5.2. */
final class QpDrainTest {

  @OnEveryLink
  @Proves("S4.5.2")
  void drainingFinishesWhatWasStartedThenTellsAndHoldsTheRest(TckLink link)
      throws InterruptedException {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      StuckSend.post(left, SendWrs.send(1, left.sge(0, 64)));

      left.qp().modify(new QpAttr().qpState(QpState.SQD).enSqdAsyncNotify(true));
      assertThat(isDraining(left)).as("draining").isTrue();
      Refused.of(() -> toRts(left), Errno.EINVAL, Errno.EBUSY);
      left.qp()
          .postSend(
              SendWrs.list(SendWrs.send(2, left.sge(64, 64)), SendWrs.send(3, left.sge(128, 64))));
      Events.assertNone(left.context());

      right.postRecv(11, right.sge(0, 64));
      left.sent(1);
      right.received(11);
      try (AsyncEvent event = Events.await(left.context(), EventType.SQ_DRAINED)) {
        assertThat(event.qp()).isSameAs(left.qp());
      }
      assertThat(isDraining(left)).isFalse();
      assertThat(left.queryState()).isEqualTo(QpState.SQD);

      right.postRecv(12, right.sge(64, 64));
      right.postRecv(13, right.sge(128, 64));
      roundTrip(right, left);
      left.assertNothingSent();
      right.assertNothingReceived();

      toRts(left);
      left.sent(2);
      left.sent(3);
      right.received(12);
      right.received(13);
    }
  }

  @OnEveryLink
  @Proves("S4.5.2")
  void everyDrainThatAsksForItIsToldOfAnew(TckLink link) throws InterruptedException {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      for (int round = 1; round <= 3; round++) {
        left.qp().modify(new QpAttr().qpState(QpState.SQD).enSqdAsyncNotify(true));
        Events.await(left.context(), EventType.SQ_DRAINED).ack();
        Events.assertNone(left.context());
        toRts(left);
        left.qp().postSend(SendWrs.write(round, right, 0, left.sge(0, 64)));
        left.sent(round);
      }
    }
  }

  @OnEveryLink
  @Proves("S4.5.2")
  void drainingCanBeGivenUpForResetOrError(TckLink link) {
    for (QpState way : new QpState[] {QpState.RESET, QpState.ERR}) {
      try (QpPair pair = QpPair.open(link)) {
        QpEnd left = pair.left();
        StuckSend.post(left, SendWrs.send(1, left.sge(0, 64)));
        left.qp().modify(new QpAttr().qpState(QpState.SQD));
        assertThat(isDraining(left)).as("draining").isTrue();

        left.qp().modify(new QpAttr().qpState(way));

        assertThat(left.queryState()).isEqualTo(way);
        if (way == QpState.ERR) {
          left.awaitSend(1, WcStatus.WR_FLUSH_ERR);
        }
      }
    }
  }

  private static boolean isDraining(QpEnd end) {
    return end.qp().query(QpAttrMask.STATE).sqDraining();
  }

  private static void toRts(QpEnd end) {
    end.qp().modify(new QpAttr().qpState(QpState.RTS));
  }

  private static void roundTrip(QpEnd from, QpEnd to) {
    to.postRecv(100, to.sge(1024, 8));
    from.qp().postSend(SendWrs.send(101, from.sge(1024, 8)));
    from.sent(101);
    to.received(100);
  }
}
