package dev.verbena.tck.queuepairs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.tck.kit.pairs.StuckSend;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.VerbsException;

/** Destroying a queue pair: S4.5.5. */
final class QpDestroyTest {

  @OnEveryLink
  @Proves("S4.5.5")
  void outstandingWorkOfADestroyedQueuePairVanishes(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      left.postRecv(1, left.sge(0, 64));
      StuckSend.post(
          left, SendWrs.list(SendWrs.send(2, left.sge(0, 64)), SendWrs.send(3, left.sge(0, 64))));

      left.qp().destroy();

      QpEnd leftAgain = setup.end(left.pd(), left.sendCq(), left.recvCq());
      QpEnd rightAgain = setup.end(right.context(), right.pd());
      setup.connect(new QpPair(leftAgain, rightAgain));
      rightAgain.postRecv(4, right.sge(0, 64));
      leftAgain.qp().postSend(SendWrs.send(5, left.sge(0, 64)));
      leftAgain.sent(5);
      rightAgain.received(4);
      left.assertNothingSent();
      left.assertNothingReceived();
      assertThat(left.qp().isClosed()).isTrue();
    }
  }

  @OnEveryLink
  @Proves({"S4.5.5", "S10.2"})
  void destroyWaitsUntilEventsThatWereTakenAreAcknowledged(TckLink link) throws Exception {
    try (QpPair pair = drained(link)) {
      QpEnd right = pair.right();
      AsyncEvent event = Events.await(right.context(), EventType.SQ_DRAINED);
      Background<Void> destroy = Background.run(right.qp()::destroy).awaitBlocked();
      assertThat(right.qp().isClosed()).isFalse();

      event.ack();

      destroy.result();
      assertThat(right.qp().isClosed()).isTrue();
    }
  }

  @OnEveryLink
  @Proves("S4.5.5")
  void anInterruptedDestroyLeavesTheQueuePairAsItWas(TckLink link) throws Exception {
    try (QpPair pair = drained(link)) {
      QpEnd right = pair.right();
      AsyncEvent event = Events.await(right.context(), EventType.SQ_DRAINED);
      Background<Void> destroy = Background.run(right.qp()::destroy).awaitBlocked();

      destroy.interrupt();

      assertThat(Refused.of(destroy::result, Errno.EINTR).exception())
          .isInstanceOf(VerbsException.class);
      assertThat(right.queryState()).isEqualTo(QpState.SQD);
      event.ack();
      right.qp().destroy();
    }
  }

  @OnEveryLink
  void closeAcknowledgesWhatWasTaken(TckLink link) throws Exception {
    try (QpPair pair = drained(link)) {
      QpEnd right = pair.right();
      AsyncEvent event = Events.await(right.context(), EventType.SQ_DRAINED);
      Background.run(right.qp()::close).result();
      assertThat(right.qp().isClosed()).isTrue();
      event.ack();
    }
  }

  @OnEveryLink
  @Proves("S10.2")
  void eventsThatWereNotTakenAreNeverDeliveredAfterwards(TckLink link) throws InterruptedException {
    try (QpPair pair = drained(link)) {
      QpEnd right = pair.right();
      Await.until("an event", right.context().asyncEventSource()::isReady);
      right.qp().destroy();
      Events.assertNone(right.context());
      assertThat(right.context().asyncEventSource().isReady()).isFalse();
    }
  }

  /** A pair whose right end drains its send queue and will raise or has raised an event. */
  private static QpPair drained(TckLink link) {
    QpPair pair = QpPair.open(link);
    pair.right().qp().modify(new QpAttr().qpState(QpState.SQD).enSqdAsyncNotify(true));
    return pair;
  }
}
