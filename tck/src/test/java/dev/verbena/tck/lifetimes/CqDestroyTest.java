package dev.verbena.tck.lifetimes;

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
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.EventType;

/** When a completion queue may be destroyed: S6.5, S6.19. */
final class CqDestroyTest {

  @OnEveryLink
  @Proves("S6.5")
  void destroyingWaitsForEventsOfBothKindsThatWereTaken(TckLink link) throws Exception {
    PairSetup setup = PairSetup.on(link);
    try (QpPair base = setup.openUnconnected()) {
      Context context = base.right().context();
      CompletionChannel channel = context.createCompChannel();
      CompletionQueue cq = context.createCq(1, channel);
      QpEnd left = setup.end(base.left().context(), base.left().pd());
      QpEnd right = setup.end(base.right().pd(), base.right().sendCq(), cq);
      setup.connect(new QpPair(left, right));
      cq.reqNotify();
      right.postRecv(1, right.sge(0, 8));
      right.postRecv(2, right.sge(0, 8));
      left.qp().postSend(SendWrs.send(1, left.sge(0, 8)));
      left.sent(1);
      left.qp().postSend(SendWrs.send(2, left.sge(0, 8)));
      AsyncEvent overrun = Events.await(context, EventType.CQ_ERR);
      assertThat(channel.getCqEvent(Await.DEADLINE)).isSameAs(cq);
      right.qp().close();

      Background<Void> destroy = Background.run(cq::destroy).awaitBlocked();
      cq.ackEvents(1);
      destroy.awaitBlocked();
      assertThat(cq.isClosed()).isFalse();
      overrun.ack();

      destroy.result();
      assertThat(cq.isClosed()).isTrue();
    }
  }

  @OnEveryLink
  @Proves("S6.5")
  void eventsThatNobodyTookHoldNothingUp(TckLink link) throws Exception {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd right = pair.right();
      CompletionQueue cq = right.recvCq();
      cq.reqNotify();
      right.postRecv(1, right.sge(0, 8));
      pair.left().qp().postSend(SendWrs.send(1, pair.left().sge(0, 8)));
      pair.left().sent(1);
      right.qp().destroy();
      Background.run(cq::destroy).result();
      assertThat(cq.isClosed()).isTrue();
    }
  }
}
