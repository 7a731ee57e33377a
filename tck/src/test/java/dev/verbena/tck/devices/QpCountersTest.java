package dev.verbena.tck.devices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.WcStatus;

/** The counters of one queue pair, as a part of its device's. */
final class QpCountersTest {

  @OnEveryLink
  void aQueuePairCountsWhatItSendsAndReceivesAndNoOther(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair busy = setup.open()) {
      QpPair idle = setup.another(busy);
      QpEnd left = busy.left();
      QpEnd right = busy.right();
      for (int i = 0; i < 10; i++) {
        left.qp().postSend(SendWrs.write(i, right, 0, left.sge(0, 3000)));
        left.sent(i);
      }
      Counters sender = left.qp().counters();
      Counters receiver = right.qp().counters();
      if (link.isLoopback()) {
        assertThat(sender.get(Counter.LOOPBACK_MESSAGES)).isEqualTo(10);
        assertThat(sender.get(Counter.LOOPBACK_BYTES)).isEqualTo(30_000);
        assertThat(receiver.get(Counter.LOOPBACK_RECEIVED)).isEqualTo(10);
        assertThat(sender.get(Counter.PACKETS_SENT)).isZero();
      } else if (link == TckLink.SHM) {
        assertThat(sender.get(Counter.DIRECT_MESSAGES)).isEqualTo(10);
        assertThat(sender.get(Counter.DIRECT_BYTES)).isEqualTo(30_000);
        assertThat(receiver.snapshot().values()).as("of the receiver").containsOnly(0L);
      } else {
        assertThat(sender.get(Counter.PACKETS_SENT)).isGreaterThanOrEqualTo(30);
        assertThat(sender.get(Counter.BYTES_SENT)).isGreaterThan(30_000);
        assertThat(receiver.get(Counter.PACKETS_RECEIVED)).isGreaterThanOrEqualTo(30);
        assertThat(receiver.get(Counter.BYTES_RECEIVED)).isGreaterThan(30_000);
        assertThat(receiver.get(Counter.PACKETS_SENT)).as("acknowledgements").isPositive();
        assertThat(sender.get(Counter.PACKETS_RECEIVED)).as("acknowledgements").isPositive();
      }
      for (QueuePair other : new QueuePair[] {idle.left().qp(), idle.right().qp()}) {
        assertThat(other.counters().snapshot().values()).containsOnly(0L);
      }
      for (Counter counter :
          new Counter[] {
            Counter.LOOPBACK_MESSAGES,
            Counter.DIRECT_MESSAGES,
            Counter.PACKETS_SENT,
            Counter.BYTES_SENT
          }) {
        assertThat(left.context().counters().get(counter))
            .as("%s of the device", counter)
            .isEqualTo(sender.get(counter));
      }
      left.qp().close();
      assertThat(
              sender.get(Counter.PACKETS_SENT)
                  + sender.get(Counter.LOOPBACK_MESSAGES)
                  + sender.get(Counter.DIRECT_MESSAGES))
          .as("read from a closed queue pair")
          .isPositive();
    }
  }

  @OnEveryLink
  void aQueuePairCountsWhatItDropsAndWhatItRepeats(TckLink link) {
    PairSetup setup = PairSetup.on(link).timeout(8).retryCnt(3);
    try (QpPair pair = setup.openUnconnected()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      setup.toInit(right.qp());
      setup.connect(left.qp(), right.qp().endpoint());
      left.qp().postSend(SendWrs.write(1, right, 0, left.sge(0, 8)));
      left.awaitSend(1, WcStatus.RETRY_EXC_ERR);

      Counters sender = left.qp().counters();
      assertThat(sender.get(Counter.TIMEOUTS)).isEqualTo(4);
      assertThat(sender.get(Counter.RETRANSMITTED)).isEqualTo(3);
      assertThat(left.context().counters().get(Counter.TIMEOUTS)).isEqualTo(4);
      Await.until(
          "what was dropped is counted",
          () -> right.qp().counters().get(Counter.DROPPED_QP_STATE) > 0);
      assertThat(right.context().counters().get(Counter.DROPPED_QP_STATE))
          .isGreaterThanOrEqualTo(right.qp().counters().get(Counter.DROPPED_QP_STATE));
    }
  }
}
