package dev.verbena.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.WorkCompletion;

/** Requests make progress although nobody polls. */
final class ProgressTest {

  @OnEveryLink
  void aTargetThatPolledAndThenSleepsStillServes(TckLink link) throws InterruptedException {
    PairSetup setup = PairSetup.on(link);
    if (!link.isFaulty()) {
      setup.timeout(18).retryCnt(0); // served within a second, with no second try
    }
    try (QpPair base = setup.openUnconnected()) {
      CompletionChannel channel = base.left().context().createCompChannel();
      CompletionQueue cq = base.left().context().createCq(64, channel);
      QpEnd left = setup.end(base.left().pd(), cq, base.left().recvCq());
      QpEnd right = base.right();
      setup.connect(new QpPair(left, right));
      pingPong(left, right, 200);

      for (int round = 1; round <= 20; round++) {
        byte[] data = left.fill(0, 3000, round);
        cq.reqNotify(false);
        left.qp().postSend(SendWrs.write(round, right, 0, left.sge(0, 3000)));
        assertThat(channel.getCqEvent(Await.DEADLINE)).as("round %d", round).isSameAs(cq);
        cq.ackEvents(1);
        left.sent(round);
        assertThat(right.bytes(0, 3000)).isEqualTo(data);
      }
    }
  }

  /** Both ends poll as fast as they can. */
  private static void pingPong(QpEnd left, QpEnd right, int rounds) {
    WorkCompletion wc = new WorkCompletion();
    for (int round = 0; round < rounds; round++) {
      left.postRecv(round, left.sge(0, 8));
      right.postRecv(round, right.sge(0, 8));
      left.qp().postSend(SendWrs.send(round, left.sge(8, 8)));
      right.received(round);
      right.qp().postSend(SendWrs.send(round, right.sge(8, 8)));
      left.received(round);
      left.sent(round);
      right.sent(round);
      assertThat(right.recvCq().poll(wc)).isFalse();
    }
  }
}
