package dev.verbena.tck.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcStatus;

/** Asynchronous events of a queue pair: S4.5.1, S4.5.10. */
final class QpEventTest {

  @OnEveryLink
  @Proves({"S4.5.1", "S10.3", "S10.4"})
  void aPeerInRtrTellsOnceThatCommunicationIsEstablished(TckLink link) throws InterruptedException {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.openUnconnected()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      setup.connect(left.qp(), right.qp().endpoint());
      setup.toInit(right.qp());
      setup.toRtr(right.qp(), left.qp().endpoint());

      write(left, right, 1);
      try (AsyncEvent event = Events.await(right.context(), EventType.COMM_EST)) {
        assertThat(event.qp()).isSameAs(right.qp());
        assertThat(event.cq()).isNull();
      }
      write(left, right, 2);
      write(left, right, 3);
      setup.toRts(right.qp());
      write(left, right, 4);
      Events.assertNone(right.context());
      Events.assertNone(left.context());

      for (QpEnd end : pair.ends()) {
        end.qp().modify(new QpAttr().qpState(QpState.RESET));
      }
      setup.connect(left.qp(), right.qp().endpoint());
      setup.toInit(right.qp());
      setup.toRtr(right.qp(), left.qp().endpoint());
      write(left, right, 5);
      Events.await(right.context(), EventType.COMM_EST).ack();
    }
  }

  @OnEveryLink
  @Proves("S4.5.1")
  void aPeerAlreadyInRtsTellsNothing(TckLink link) throws InterruptedException {
    try (QpPair pair = QpPair.open(link)) {
      write(pair.left(), pair.right(), 1);
      write(pair.right(), pair.left(), 2);
      Events.assertNone(pair.left().context());
      Events.assertNone(pair.right().context());
    }
  }

  @OnEveryLink
  @Proves({"S4.5.10", "S10.3", "S10.4"})
  void aRefusedAccessIsAnEventOfTheResponder(TckLink link) throws InterruptedException {
    try (QpPair pair = PairSetup.on(link).mrAccess(Access.LOCAL_WRITE).open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      left.qp().postSend(SendWrs.write(1, right, 0, left.sge(0, 64)));

      left.awaitSend(1, WcStatus.REM_ACCESS_ERR);
      try (AsyncEvent event = Events.await(right.context(), EventType.QP_ACCESS_ERR)) {
        assertThat(event.qp()).isSameAs(right.qp());
      }
      right.awaitState(QpState.ERR);
      Events.assertNone(left.context());
    }
  }

  @OnEveryLink
  @Proves({"S4.5.10", "S10.3", "S10.4"})
  void anInvalidRequestIsAnEventOfTheResponder(TckLink link) throws InterruptedException {
    try (QpPair pair = PairSetup.on(link).maxDestRdAtomic(0).open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      left.qp().postSend(SendWrs.read(1, right, 0, left.sge(0, 64)));

      left.awaitSend(1, WcStatus.REM_INV_REQ_ERR);
      try (AsyncEvent event = Events.await(right.context(), EventType.QP_REQ_ERR)) {
        assertThat(event.qp()).isSameAs(right.qp());
      }
      right.awaitState(QpState.ERR);
    }
  }

  @OnEveryLink
  @Proves({"S4.5.10", "S10.3", "S10.4"})
  void aQueuePairWhoseCompletionQueueOverranFailsFatally(TckLink link) throws InterruptedException {
    try (QpPair pair = QpPair.open(link)) {
      Context context = pair.right().context();
      QpEnd right = Overrun.of(link, pair, context.createCq(1));

      try (AsyncEvent event = Events.await(context, EventType.QP_FATAL)) {
        assertThat(event.qp()).isSameAs(right.qp());
      }
    }
  }

  private static void write(QpEnd from, QpEnd to, long wrId) {
    from.qp().postSend(SendWrs.write(wrId, to, 0, from.sge(0, 64)));
    from.sent(wrId);
  }
}
