package dev.verbena.tck.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.WorkCompletion;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;

/** Events that are acknowledged automatically, and completions as lists. */
final class CheckPollTest {

  @OnEveryLink
  @Proves({"PY-073", "PY-074", "PY-075", "PY-115", "PY-117", "PY-118"})
  void aKeyThatWasSelectedGivesTheQueueOnceForEachTimeThatItWasArmed(TckLink link)
      throws Exception {
    try (QpPair pair = QpPair.open(link);
        Selector selector = Selector.open()) {
      CompletionQueue cq = pair.right().recvCq();
      CompletionChannel channel = cq.channel();
      SelectionKey key = channel.registerPoll(selector);
      SelectionKey other = pair.right().context().asyncEventSource().registerPoll(selector);
      assertThat(channel.checkPoll(key)).as("nothing was selected").isNull();

      cq.reqNotify();
      message(pair, 1);
      selector.select(Await.DEADLINE.toMillis());
      assertThat(channel.checkPoll(other)).isNull();
      assertThat(channel.checkPoll(key)).isSameAs(cq);
      assertThat(cq.compEvents()).isEqualTo(1);
      assertThat(channel.checkPoll(key)).as("the only event was taken").isNull();
      assertThat(cq.poll(-1)).hasSize(1);

      message(pair, 2);
      assertThat(channel.checkPoll()).as("it was not armed again").isNull();
      cq.reqNotify();
      message(pair, 3);
      Await.until("an event", channel::isReady);
      assertThat(channel.checkPoll()).isSameAs(cq);
      assertThat(cq.compEvents()).isEqualTo(2);

      key.cancel();
      assertThat(channel.checkPoll(key)).isNull();
    }
  }

  @OnEveryLink
  @Proves({"PY-074", "PY-112", "PY-113"})
  void eventsThatItTookNeedNoAcknowledgement(TckLink link) throws Exception {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd right = pair.right();
      CompletionQueue cq = right.recvCq();
      CompletionChannel channel = cq.channel();
      assertThat(cq.context()).isSameAs(right.context());
      raise(pair, 1);
      assertThat(channel.checkPoll()).isSameAs(cq);
      Refused.of(() -> cq.ackEvents(1), Errno.EINVAL);
      raise(pair, 2);
      assertThat(channel.getCqEvent(Duration.ZERO)).isSameAs(cq);
      assertThat(cq.compEvents()).isEqualTo(1);
      right.qp().destroy();

      Background<Void> destroy = Background.run(cq::destroy).awaitBlocked();
      cq.ackEvents(1);
      destroy.result();
      assertThat(cq.isClosed()).isTrue();
    }
  }

  @OnEveryLink
  @Proves({"PY-110", "PY-112"})
  void closingAQueueDoesNotWaitForThem(TckLink link) throws Exception {
    try (QpPair pair = QpPair.open(link)) {
      CompletionQueue cq = pair.right().recvCq();
      CompletionChannel channel = cq.channel();
      for (int i = 0; i < 3; i++) {
        raise(pair, i);
        assertThat(channel.checkPoll()).isSameAs(cq);
      }
      pair.right().qp().close();
      Background.run(cq::close).result();
      channel.close();
      assertThatThrownBy(channel::checkPoll).isInstanceOf(ObjectClosedException.class);
    }
  }

  @OnEveryLink
  @Proves("PY-109")
  void completionsComeAsAListOfAnyLength(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      CompletionQueue cq = pair.right().recvCq();
      assertThat(cq.poll(-1)).isEmpty();
      for (int i = 0; i < 6; i++) {
        message(pair, i);
      }
      assertThat(cq.poll(0)).isEmpty();
      assertThat(cq.poll(2)).extracting(WorkCompletion::wrId).containsExactly(0L, 1L);
      assertThat(cq.poll(1)).extracting(WorkCompletion::wrId).containsExactly(2L);
      assertThat(cq.poll(-1)).extracting(WorkCompletion::wrId).containsExactly(3L, 4L, 5L);
      assertThat(cq.poll(5)).isEmpty();
      Refused.of(() -> cq.poll(-2), Errno.EINVAL).naming("-2");
    }
  }

  private static void raise(QpPair pair, long wrId) {
    pair.right().recvCq().reqNotify();
    message(pair, wrId);
    Await.until("an event", pair.right().recvCq().channel()::isReady);
  }

  private static void message(QpPair pair, long wrId) {
    pair.right().postRecv(wrId, pair.right().sge(0, 8));
    pair.left().qp().postSend(SendWrs.send(wrId, pair.left().sge(0, 8)));
    pair.left().sent(wrId);
  }
}
