package dev.verbena.tck.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Events that wait for more completions or for a time: S6.11. */
final class CqModerationTest {

  /** A pair whose right end waits for events of its receives. */
  private record Receiver(QpPair pair, int longest) implements AutoCloseable {
    static Receiver open(TckLink link) {
      QpPair pair = QpPair.open(link);
      return new Receiver(pair, pair.left().context().queryDeviceEx().maxCqModerationPeriod());
    }

    CompletionQueue cq() {
      return pair.right().recvCq();
    }

    CompletionChannel channel() {
      return Objects.requireNonNull(cq().channel());
    }

    void deliver(long id) {
      QpEnd left = pair.left();
      pair.right().postRecv(id, pair.right().sge(0, 8));
      left.qp().postSend(SendWrs.send(id, left.sge(0, 8)));
      left.sent(id);
    }

    boolean hasEvent() throws InterruptedException {
      if (channel().getCqEvent(Duration.ZERO) == null) {
        return false;
      }
      cq().ackEvents(1);
      return true;
    }

    void takeEvent() throws InterruptedException {
      assertThat(channel().getCqEvent(Await.DEADLINE)).isSameAs(cq());
      cq().ackEvents(1);
    }

    @Override
    public void close() {
      pair.close();
    }
  }

  @Test
  @Proves("S6.11")
  void valuesBeyondTheDevicesLimitsAreRefused() {
    try (Context context = Devices.open(TckLink.selected().getFirst().device());
        CompletionQueue cq = context.createCq(8)) {
      DeviceAttrEx device = context.queryDeviceEx();
      int count = device.maxCqModerationCount();
      int period = device.maxCqModerationPeriod();
      // Others need not have it, and say so.
      assumeTrue(count > 0 || !TckLink.areDevicesOfOthers(), "max_cq_count is 0");
      assertThat(count).isPositive();
      assertThat(period).isPositive();
      cq.modify(count, period);
      Refused.of(() -> cq.modify(count + 1, 1), Errno.EINVAL)
          .from("modifyCq", "modify")
          .naming(Integer.toString(count + 1), Integer.toString(count));
      Refused.of(() -> cq.modify(1, period + 1), Errno.EINVAL)
          .naming(Integer.toString(period + 1), Integer.toString(period));
      Refused.of(() -> cq.modify(-1, 1), Errno.EINVAL).naming("-1");
      Refused.of(() -> cq.modify(1, -1), Errno.EINVAL).naming("-1");
    }
  }

  @OnEveryLink
  @Proves("S6.11")
  void anEventWaitsForSoManyCompletions(TckLink link) throws InterruptedException {
    try (Receiver receiver = Receiver.open(link)) {
      receiver.cq().modify(3, receiver.longest());
      int early = 0;
      for (int round = 0; round < 10; round++) {
        receiver.cq().reqNotify();
        long start = System.nanoTime();
        receiver.deliver(1);
        receiver.deliver(2);
        boolean raised = receiver.hasEvent();
        boolean overdue = System.nanoTime() - start >= receiver.longest() * 1000L;
        assertThat(raised && !overdue).as("an event after 2 completions, in time").isFalse();
        receiver.deliver(3);
        if (!raised) {
          receiver.takeEvent();
          early++;
        }
        assertThat(receiver.hasEvent()).as("a second event").isFalse();
      }
      assertThat(early).as("rounds in which the third completion raised the event").isPositive();
    }
  }

  @OnEveryLink
  @Proves("S6.11")
  void anEventWaitsNoLongerThanThePeriod(TckLink link) throws InterruptedException {
    try (Receiver receiver = Receiver.open(link)) {
      int period = Math.min(20_000, receiver.longest());
      receiver.cq().modify(100, period);
      for (int round = 0; round < 3; round++) {
        receiver.cq().reqNotify();
        long start = System.nanoTime();
        receiver.deliver(round);
        receiver.takeEvent();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(period * 1000L);
      }
    }
  }

  @OnEveryLink
  @Proves("S6.11")
  void moderationEndsWithNothingToWaitFor(TckLink link) throws InterruptedException {
    try (Receiver receiver = Receiver.open(link)) {
      int[][] off = {{0, 0}, {1, receiver.longest()}, {100, 0}};
      for (int[] values : off) {
        receiver.cq().modify(100, receiver.longest());
        receiver.cq().modify(values[0], values[1]);
        receiver.cq().reqNotify();
        receiver.deliver(1);
        assertThat(receiver.hasEvent()).isTrue();
      }
    }
  }

  @OnEveryLink
  @Proves("S6.11")
  void anEventThatIsWaitingIsRaisedWhenModerationChanges(TckLink link) throws InterruptedException {
    try (Receiver receiver = Receiver.open(link)) {
      receiver.cq().modify(100, receiver.longest());
      receiver.cq().reqNotify();
      receiver.deliver(1);
      receiver.cq().modify(0, 0);
      assertThat(receiver.hasEvent()).isTrue();
      assertThat(receiver.hasEvent()).isFalse();
    }
  }
}
