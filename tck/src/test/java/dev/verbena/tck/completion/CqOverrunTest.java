package dev.verbena.tck.completion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.Refused;
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
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A completion queue holds what it promises, and reports an overrun once: S6.3. */
final class CqOverrunTest {

  @OnEveryLink
  @Proves("S6.3")
  void exactlyAsManyCompletionsFitAsTheQueueSays(TckLink link) throws InterruptedException {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.openUnconnected()) {
      for (int size : new int[] {1, 5}) {
        CompletionQueue small = pair.right().context().createCq(size);
        QpEnd right = filled(setup, pair, small).right();
        for (int id = 0; id < small.cqe(); id++) {
          right.received(id);
        }
        right.assertNothingReceived();
        Events.assertNone(right.context());
        assertThat(right.queryState()).isEqualTo(QpState.RTS);
      }
    }
  }

  @OnEveryLink
  @Proves({"S6.3", "S4.5.10"})
  void oneMoreIsAnErrorOfTheQueueAndOfItsQueuePairs(TckLink link) throws InterruptedException {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.openUnconnected()) {
      Context context = pair.right().context();
      CompletionQueue small = context.createCq(4);
      QpPair full = filled(setup, pair, small);
      full.right().postRecv(1000, full.right().sge(0, 8));
      full.left().qp().postSend(SendWrs.send(1000, full.left().sge(0, 8)));

      boolean queueFailed = false;
      boolean pairFailed = false;
      while (!queueFailed || !pairFailed) {
        try (AsyncEvent event = context.getAsyncEvent(Await.DEADLINE)) {
          assertThat(event).as("CQ_ERR and QP_FATAL").isNotNull();
          if (event.eventType() == EventType.CQ_ERR) {
            assertThat(event.cq()).isSameAs(small);
            assertThat(queueFailed).as("CQ_ERR a second time").isFalse();
            queueFailed = true;
          } else {
            assertThat(event.eventType()).isEqualTo(EventType.QP_FATAL);
            assertThat(event.qp()).isSameAs(full.right().qp());
            pairFailed = true;
          }
        }
      }
      full.right().awaitState(QpState.ERR);
      assertUnusable(small);
      Events.assertNone(context);
    }
  }

  @OnEveryLink
  @Proves({"S6.3", "S4.5.10"})
  void oneMoreSendIsAnErrorToo(TckLink link) throws InterruptedException {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.openUnconnected()) {
      Context context = pair.left().context();
      CompletionQueue small = context.createCq(4);
      QpEnd left = setup.end(pair.left().pd(), small, context.createCq(16));
      setup.connect(new QpPair(left, pair.right()));
      for (int id = 0; id < small.cqe(); id++) {
        left.qp().postSend(SendWrs.write(id, pair.right(), 0, left.sge(0, 8)));
      }
      left.drain();
      Events.assertNone(context);
      assertThat(left.queryState()).isEqualTo(QpState.RTS);

      left.qp().postSend(SendWrs.write(1000, pair.right(), 0, left.sge(0, 8)));

      Set<EventType> told = EnumSet.noneOf(EventType.class);
      while (told.size() < 2) {
        try (AsyncEvent event = context.getAsyncEvent(Await.DEADLINE)) {
          assertThat(event).as("CQ_ERR and QP_FATAL").isNotNull();
          assertThat(event.eventType()).isIn(EventType.CQ_ERR, EventType.QP_FATAL);
          assertThat(told.add(event.eventType())).as("%s once", event.eventType()).isTrue();
        }
      }
      left.awaitState(QpState.ERR);
      assertUnusable(small);
      Events.assertNone(context);
    }
  }

  @OnEveryLink
  @Proves("S6.3")
  void aProgramThatWaitsForEventsLearnsOfIt(TckLink link) throws InterruptedException {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.openUnconnected()) {
      Context context = pair.right().context();
      CompletionChannel channel = context.createCompChannel();
      CompletionQueue small = context.createCq(4, channel);
      small.reqNotify();
      QpPair full = filled(setup, pair, small);
      full.right().postRecv(1000, full.right().sge(0, 8));
      full.left().qp().postSend(SendWrs.send(1000, full.left().sge(0, 8)));
      full.right().awaitState(QpState.ERR);

      // As in the Javadoc of CompletionChannel and ConnectionListener.
      List<WorkCompletion> taken = new ArrayList<>();
      Refused.of(
              () -> {
                while (true) {
                  CompletionQueue ready = channel.getCqEvent(Await.DEADLINE);
                  assertThat(ready).as("event after %s", taken).isSameAs(small);
                  small.ackEvents(1);
                  small.reqNotify();
                  taken.addAll(small.poll(-1));
                }
              },
              Errno.EIO)
          .naming("overrun");
      assertThat(taken).hasSize(small.cqe());
    }
  }

  /** A connected pair whose right end's receive completions fill this queue exactly. */
  private static QpPair filled(PairSetup setup, QpPair base, CompletionQueue small) {
    QpEnd left = setup.end(base.left().context(), base.left().pd());
    QpEnd right = setup.end(base.right().pd(), base.right().context().createCq(16), small);
    setup.connect(new QpPair(left, right));
    for (int id = 0; id < small.cqe(); id++) {
      right.postRecv(id, right.sge(0, 8));
      left.qp().postSend(SendWrs.send(id, left.sge(0, 8)));
      left.sent(id);
    }
    return new QpPair(left, right);
  }

  /** The remaining entries may be taken, then every poll fails. */
  private static void assertUnusable(CompletionQueue cq) {
    WorkCompletion wc = new WorkCompletion();
    for (int taken = 0; taken <= cq.cqe(); taken++) {
      try {
        assertThat(cq.poll(wc)).as("an entry or an error, after %d", taken).isTrue();
        assertThat(wc.wrId()).isEqualTo(taken);
      } catch (VerbsException dead) {
        assertThat(dead.errno()).isEqualTo(Errno.EIO);
        return;
      }
    }
    throw new AssertionError("poll never failed");
  }
}
