package dev.verbena.tck.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpState;

/** The asynchronous event of a completion queue and the end of the queue: S10.2, S10.3, S10.4. */
final class CqEventDestroyTest {

  @OnEveryLink
  @Proves({"S10.2", "S10.3", "S10.4"})
  void destroyWaitsUntilTheEventIsAcknowledged(TckLink link) throws Exception {
    try (QpPair pair = PairSetup.on(link).openUnconnected()) {
      Context context = pair.right().context();
      CompletionQueue small = context.createCq(1);
      QpEnd end = overrun(link, pair, small);
      AsyncEvent event = Events.await(context, EventType.CQ_ERR);
      assertThat(event.cq()).isSameAs(small);
      assertThat(event.qp()).isNull();
      assertThat(event.portNum()).isZero();
      end.qp().destroy();
      Background<Void> destroy = Background.run(small::destroy).awaitBlocked();
      assertThat(small.isClosed()).isFalse();

      event.ack();

      destroy.result();
      assertThat(small.isClosed()).isTrue();
    }
  }

  @OnEveryLink
  @Proves("S10.2")
  void anEventThatWasNotTakenIsNeverDeliveredAfterwards(TckLink link) throws Exception {
    try (QpPair pair = PairSetup.on(link).openUnconnected()) {
      Context context = pair.right().context();
      CompletionQueue small = context.createCq(1);
      QpEnd end = overrun(link, pair, small);
      Await.until("an event", context.asyncEventSource()::isReady);
      end.qp().destroy();
      small.destroy();
      Events.assertNone(context);
    }
  }

  /** A queue pair of the right end's domain whose receives have filled the queue and one more. */
  private static QpEnd overrun(TckLink link, QpPair pair, CompletionQueue small) {
    PairSetup setup = PairSetup.on(link);
    QpEnd left = setup.end(pair.left().context(), pair.left().pd());
    QpEnd right = setup.end(pair.right().pd(), pair.right().context().createCq(16), small);
    setup.connect(new QpPair(left, right));
    for (int i = 0; i <= small.cqe(); i++) {
      right.postRecv(i, right.sge(0, 8));
      left.qp().postSend(SendWrs.send(i, left.sge(0, 8)));
      if (i < small.cqe()) {
        left.sent(i);
      }
    }
    right.awaitState(QpState.ERR);
    return right;
  }
}
