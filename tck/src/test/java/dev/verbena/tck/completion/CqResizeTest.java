package dev.verbena.tck.completion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpState;
import org.junit.jupiter.api.Test;

/** Changing the size of a completion queue: S6.4. */
final class CqResizeTest {

  /** A pair whose right end receives into a queue of this size. */
  private record Receiver(QpPair base, QpEnd left, QpEnd right) implements AutoCloseable {
    static Receiver open(TckLink link, int cqe) {
      PairSetup setup = PairSetup.on(link);
      QpPair base = setup.openUnconnected();
      QpEnd left = setup.end(base.left().context(), base.left().pd());
      CompletionQueue small = base.right().context().createCq(cqe);
      QpEnd right = setup.end(base.right().pd(), base.right().sendCq(), small);
      setup.connect(new QpPair(left, right));
      return new Receiver(base, left, right);
    }

    CompletionQueue cq() {
      return right.recvCq();
    }

    /** When this returns, messages with these identifiers have arrived, unpolled. */
    void deliver(int first, int last) {
      for (int id = first; id <= last; id++) {
        right.postRecv(id, right.sge(0, 8));
        left.qp().postSend(SendWrs.send(id, left.sge(0, 8)));
        left.sent(id);
      }
    }

    @Override
    public void close() {
      base.close();
    }
  }

  @Test
  @Proves("S6.4")
  void sizesOutOfRangeAreRefused() {
    try (Context context = Devices.open(TckLink.selected().getFirst().device());
        CompletionQueue cq = context.createCq(8)) {
      int most = context.queryDevice().maxCqe();
      for (int size : new int[] {0, -1, Integer.MIN_VALUE, most + 1}) {
        Refused.of(() -> cq.resize(size), Errno.EINVAL)
            .from("resizeCq", "resize")
            .naming(Integer.toString(size), Integer.toString(most));
        assertThat(cq.cqe()).isGreaterThanOrEqualTo(8).isLessThan(most);
      }
      cq.resize(most);
      assertThat(cq.cqe()).isGreaterThanOrEqualTo(most);
      cq.resize(1);
      assertThat(cq.cqe()).isPositive();
    }
  }

  @OnEveryLink
  @Proves("S6.4")
  void whatWaitsIsKeptInOrder(TckLink link) {
    try (Receiver receiver = Receiver.open(link, 300)) {
      receiver.deliver(0, 9);
      for (int id = 0; id < 5; id++) {
        receiver.right().received(id);
      }
      receiver.deliver(10, 99);
      for (int size : new int[] {1000, 95, 4096}) {
        receiver.cq().resize(size);
        assertThat(receiver.cq().cqe()).isGreaterThanOrEqualTo(size);
      }
      for (int id = 5; id <= 99; id++) {
        receiver.right().received(id);
      }
      receiver.right().assertNothingReceived();
    }
  }

  @OnEveryLink
  @Proves("S6.4")
  void aSizeBelowWhatWaitsIsRefusedAndNothingLost(TckLink link) {
    try (Receiver receiver = Receiver.open(link, 64)) {
      receiver.deliver(0, 19);
      int before = receiver.cq().cqe();
      Refused.of(() -> receiver.cq().resize(19), Errno.EINVAL).naming("19");
      assertThat(receiver.cq().cqe()).isEqualTo(before);
      receiver.cq().resize(20);
      for (int id = 0; id < 20; id++) {
        receiver.right().received(id);
      }
    }
  }

  @OnEveryLink
  @Proves("S6.4")
  void theNewSizeIsWhatFits(TckLink link) throws InterruptedException {
    try (Receiver receiver = Receiver.open(link, 4)) {
      int first = receiver.cq().cqe();
      receiver.deliver(0, first - 1);
      receiver.cq().resize(100);
      receiver.deliver(first, receiver.cq().cqe() - 1);
      Events.assertNone(receiver.right().context());
      assertThat(receiver.right().queryState()).isEqualTo(QpState.RTS);
      for (int id = 0; id < 100; id++) {
        receiver.right().received(id);
      }
    }
  }

  @OnEveryLink
  @Proves("S6.4")
  void resizingDoesNotDisturbThoseWhoAddAndPoll(TckLink link) throws Exception {
    int messages = link.isFaulty() ? 500 : 3000;
    try (Receiver receiver = Receiver.open(link, 128)) {
      for (int id = 0; id < 100; id++) {
        receiver.right().postRecv(id, receiver.right().sge(0, 8));
      }
      Background<Void> resizer =
          Background.run(
              () -> {
                for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
                  receiver.cq().resize(128 + i % 500);
                }
              });
      Background<Void> sender =
          Background.run(
              () -> {
                for (int id = 0; id < messages; id++) {
                  receiver.left().qp().postSend(SendWrs.send(id, receiver.left().sge(0, 8)));
                  receiver.left().sent(id);
                }
              });
      for (int id = 0; id < messages; id++) {
        receiver.right().received(id % 100);
        receiver.right().postRecv(id % 100, receiver.right().sge(0, 8));
      }
      sender.result();
      resizer.interrupt();
      resizer.result();
    }
  }
}
