package dev.verbena.tck.completion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.time.Duration;
import java.util.Objects;

/** When a completion queue raises an event: S6.6 to S6.8. */
final class CqNotifyTest {

  /** A pair whose right end waits for events of its receives. */
  private record Receiver(QpPair pair) implements AutoCloseable {
    static Receiver open(TckLink link) {
      return new Receiver(QpPair.open(link));
    }

    CompletionQueue cq() {
      return pair.right().recvCq();
    }

    CompletionChannel channel() {
      return Objects.requireNonNull(cq().channel());
    }

    /** Sends one message and returns when its receive has completed. */
    void deliver(long id, int flags) {
      QpEnd left = pair.left();
      pair.right().postRecv(id, pair.right().sge(0, 8));
      left.qp().postSend(SendWrs.send(id, left.sge(0, 8)).sendFlags(SendFlags.SIGNALED | flags));
      left.sent(id);
    }

    void takeEvent() throws InterruptedException {
      assertThat(channel().getCqEvent(Await.DEADLINE)).as("the event").isSameAs(cq());
      cq().ackEvents(1);
    }

    void assertNoEvent() throws InterruptedException {
      assertThat(channel().getCqEvent(Duration.ZERO)).isNull();
    }

    @Override
    public void close() {
      pair.close();
    }
  }

  @OnEveryLink
  @Proves("S6.6")
  void armingCountsOnceAndOnlyForCompletionsThatComeLater(TckLink link)
      throws InterruptedException {
    try (Receiver receiver = Receiver.open(link)) {
      receiver.deliver(1, 0);
      receiver.assertNoEvent();
      receiver.cq().reqNotify(false);
      receiver.assertNoEvent();

      receiver.deliver(2, 0);
      receiver.takeEvent();
      receiver.deliver(3, 0);
      receiver.deliver(4, 0);
      receiver.assertNoEvent();

      receiver.cq().reqNotify(false);
      receiver.deliver(5, 0);
      receiver.takeEvent();
      receiver.assertNoEvent();
      assertThat(receiver.pair().right().awaitRecvs(5)).allMatch(WorkCompletion::isSuccess);
    }
  }

  @OnEveryLink
  @Proves("S6.6")
  void armingForSolicitedSkipsOrdinaryMessages(TckLink link) throws InterruptedException {
    try (Receiver receiver = Receiver.open(link)) {
      receiver.cq().reqNotify(true);
      receiver.deliver(1, 0);
      receiver.deliver(2, 0);
      receiver.assertNoEvent();
      receiver.deliver(3, SendFlags.SOLICITED);
      receiver.takeEvent();
      receiver.deliver(4, SendFlags.SOLICITED);
      receiver.assertNoEvent();
    }
  }

  @OnEveryLink
  @Proves("S6.6")
  void armingForSolicitedCountsErrors(TckLink link) throws InterruptedException {
    try (Receiver receiver = Receiver.open(link)) {
      receiver.cq().reqNotify(true);
      receiver.pair().right().postRecv(1, receiver.pair().right().sge(0, 8));
      receiver.pair().right().qp().modify(new QpAttr().qpState(QpState.ERR));
      receiver.takeEvent();
    }
  }

  @OnEveryLink
  @Proves("S6.6")
  void armingForSolicitedCountsErrorsOfSendsAndNotTheirSuccess(TckLink link)
      throws InterruptedException {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.openUnconnected()) {
      Context context = pair.left().context();
      CompletionChannel channel = context.createCompChannel();
      CompletionQueue cq = context.createCq(16, channel);
      QpEnd left = setup.end(pair.left().pd(), cq, context.createCq(16));
      setup.connect(new QpPair(left, pair.right()));
      cq.reqNotify(true);
      left.qp()
          .postSend(
              SendWrs.write(1, pair.right(), 0, left.sge(0, 8))
                  .sendFlags(SendFlags.SIGNALED | SendFlags.SOLICITED));
      left.sent(1);
      assertThat(channel.getCqEvent(Duration.ZERO)).isNull();

      left.qp()
          .postSend(SendWrs.write(2, pair.right(), 0, left.sge(0, 8)).rkey(~pair.right().rkey()));

      assertThat(channel.getCqEvent(Await.DEADLINE)).as("the event").isSameAs(cq);
      cq.ackEvents(1);
      left.awaitSend(2, WcStatus.REM_ACCESS_ERR);
    }
  }

  @OnEveryLink
  @Proves("S6.6")
  void armingForAnyStaysInForceWhenArmedForSolicitedToo(TckLink link) throws InterruptedException {
    try (Receiver receiver = Receiver.open(link)) {
      receiver.cq().reqNotify(false);
      receiver.cq().reqNotify(true);
      receiver.deliver(1, 0);
      receiver.takeEvent();

      receiver.cq().reqNotify(true);
      receiver.cq().reqNotify(false);
      receiver.deliver(2, 0);
      receiver.takeEvent();
      receiver.assertNoEvent();
    }
  }

  @OnEveryLink
  @Proves("S6.6")
  void armingWithoutAChannelHasNoEffect(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      pair.left().sendCq().reqNotify(false);
      pair.left().sendCq().reqNotify(true);
      pair.left().qp().postSend(SendWrs.write(1, pair.right(), 0, pair.left().sge(0, 8)));
      pair.left().sent(1);
    }
  }

  @OnEveryLink
  @Proves("S6.8")
  void anEventWhoseCompletionWasPolledMeanwhileDoesNoHarm(TckLink link)
      throws InterruptedException {
    try (Receiver receiver = Receiver.open(link)) {
      receiver.cq().reqNotify(false);
      receiver.deliver(1, 0);
      receiver.pair().right().received(1);
      receiver.takeEvent();
      assertThat(receiver.cq().poll(new WorkCompletion())).isFalse();

      receiver.cq().reqNotify(false);
      receiver.deliver(2, 0);
      receiver.takeEvent();
      receiver.pair().right().received(2);
    }
  }

  @OnEveryLink
  @Proves("S6.7")
  void theUsualLoopLosesNoWakeup(TckLink link) throws Exception {
    int messages = 400;
    try (Receiver receiver = Receiver.open(link)) {
      for (int id = 0; id < 100; id++) {
        receiver.pair().right().postRecv(id, receiver.pair().right().sge(0, 8));
      }
      Background<Integer> consumer = Background.call(() -> consume(receiver, messages));
      QpEnd left = receiver.pair().left();
      for (int id = 0; id < messages; id++) {
        left.qp().postSend(SendWrs.send(id, left.sge(0, 8)));
        left.sent(id);
      }
      assertThat(consumer.result()).isEqualTo(messages);
    }
  }

  /** Arm, poll until empty, wait, acknowledge, again; reposts every receive. */
  private static int consume(Receiver receiver, int messages) throws InterruptedException {
    QpEnd right = receiver.pair().right();
    WorkCompletion wc = new WorkCompletion();
    int seen = 0;
    while (true) {
      receiver.cq().reqNotify(false);
      while (receiver.cq().poll(wc)) {
        assertThat(wc.isSuccess()).as("%s", wc).isTrue();
        right.postRecv(wc.wrId(), right.sge(0, 8));
        seen++;
      }
      if (seen >= messages) {
        return seen;
      }
      receiver.takeEvent();
    }
  }
}
