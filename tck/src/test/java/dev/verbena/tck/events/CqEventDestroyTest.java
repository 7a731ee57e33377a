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
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.EventType;

/** The asynchronous event of a completion queue and the end of the queue: S10.2, S10.3, S10.4. */
final class CqEventDestroyTest {

  @OnEveryLink
  @Proves({"S10.2", "S10.3", "S10.4"})
  void destroyWaitsUntilTheEventIsAcknowledged(TckLink link) throws Exception {
    try (QpPair pair = PairSetup.on(link).openUnconnected()) {
      Context context = pair.right().context();
      CompletionQueue small = context.createCq(1);
      QpEnd end = Overrun.of(link, pair, small);
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
      QpEnd end = Overrun.of(link, pair, small);
      Await.until("an event", context.asyncEventSource()::isReady);
      end.qp().destroy();
      small.destroy();
      Events.assertNone(context);
    }
  }
}
