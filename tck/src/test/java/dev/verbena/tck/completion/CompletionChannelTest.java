package dev.verbena.tck.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.Tokens;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventSource;
import dev.verbena.verbs.ObjectClosedException;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Waiting for completion events: S6.9, S6.10. */
final class CompletionChannelTest {

  /** Several receivers of one device, each with a completion queue of its own on one channel. */
  private record Bench(QpPair base, CompletionChannel channel, List<QpPair> pairs)
      implements AutoCloseable {
    static Bench open(TckLink link, int count) {
      PairSetup setup = PairSetup.on(link);
      QpPair base = setup.openUnconnected();
      Context context = base.right().context();
      CompletionChannel channel = context.createCompChannel();
      List<QpPair> pairs = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        CompletionQueue cq = context.createCq(16, "queue " + i, channel, 0);
        QpEnd left = setup.end(base.left().context(), base.left().pd());
        QpEnd right = setup.end(base.right().pd(), base.right().sendCq(), cq);
        setup.connect(new QpPair(left, right));
        pairs.add(new QpPair(left, right));
      }
      return new Bench(base, channel, pairs);
    }

    CompletionQueue cq(int i) {
      return pairs.get(i).right().recvCq();
    }

    /** Arms a queue and delivers one message into it. */
    void raise(int i) {
      cq(i).reqNotify(false);
      QpPair pair = pairs.get(i);
      pair.right().postRecv(1, pair.right().sge(0, 8));
      pair.left().qp().postSend(SendWrs.send(1, pair.left().sge(0, 8)));
      pair.left().sent(1);
    }

    @Override
    public void close() {
      base.close();
    }
  }

  @OnEveryLink
  @Proves("S6.9")
  void eventsOfSeveralQueuesAreTakenInOrder(TckLink link) throws InterruptedException {
    try (Bench bench = Bench.open(link, 3)) {
      int[] order = {1, 0, 2};
      for (int i : order) {
        bench.raise(i);
      }
      for (int i : order) {
        CompletionQueue raised = bench.channel().getCqEvent();
        assertThat(raised).isSameAs(bench.cq(i));
        assertThat(raised.cqContext()).isEqualTo("queue " + i);
        assertThat(raised.channel()).isSameAs(bench.channel());
        raised.ackEvents(1);
      }
      assertThat(bench.channel().getCqEvent(Duration.ZERO)).isNull();
    }
  }

  @OnEveryLink
  @Proves("S6.9")
  void waitingEndsWhenAnEventArrives(TckLink link) throws Exception {
    try (Bench bench = Bench.open(link, 1)) {
      Background<CompletionQueue> waiter =
          Background.call(() -> bench.channel().getCqEvent()).awaitBlocked();
      bench.raise(0);
      assertThat(waiter.result()).isSameAs(bench.cq(0));
      bench.cq(0).ackEvents(1);
    }
  }

  @Test
  @Proves("S6.9")
  void aTimeLimitEndsTheWaitWithNothing() throws InterruptedException {
    try (Context context = open();
        CompletionChannel channel = context.createCompChannel()) {
      assertThat(channel.getCqEvent(Duration.ZERO)).isNull();
      long start = System.nanoTime();
      assertThat(channel.getCqEvent(Duration.ofMillis(30))).isNull();
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(30_000_000L);
    }
  }

  @Test
  @Proves("S6.9")
  void waitingIsInterruptible() throws Exception {
    try (Context context = open();
        CompletionChannel channel = context.createCompChannel()) {
      Background<CompletionQueue> waiter =
          Background.call(() -> channel.getCqEvent()).awaitBlocked();
      waiter.interrupt();
      assertThatThrownBy(waiter::result).isInstanceOf(InterruptedException.class);

      Background<CompletionQueue> timed =
          Background.call(() -> channel.getCqEvent(Duration.ofMinutes(1))).awaitBlocked();
      timed.interrupt();
      assertThatThrownBy(timed::result).isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void closingEndsTheWait() throws Exception {
    try (Context context = open()) {
      CompletionChannel channel = context.createCompChannel();
      Background<CompletionQueue> waiter =
          Background.call(() -> channel.getCqEvent()).awaitBlocked();
      channel.close();
      assertThatThrownBy(waiter::result).isInstanceOf(ObjectClosedException.class);
    }
  }

  @OnEveryLink
  @Proves("S6.9")
  void destroyingAQueueWaitsUntilItsEventsAreAcknowledged(TckLink link) throws Exception {
    try (Bench bench = Bench.open(link, 1)) {
      CompletionQueue cq = bench.cq(0);
      bench.raise(0);
      assertThat(bench.channel().getCqEvent(Await.DEADLINE)).isSameAs(cq);
      bench.raise(0);
      assertThat(bench.channel().getCqEvent(Await.DEADLINE)).isSameAs(cq);
      bench.pairs().getFirst().right().qp().destroy();
      Background<Void> destroy = Background.run(cq::destroy).awaitBlocked();
      assertThat(cq.isClosed()).isFalse();

      cq.ackEvents(2);

      destroy.result();
      assertThat(cq.isClosed()).isTrue();
    }
  }

  @OnEveryLink
  @Proves("S6.9")
  void anInterruptedDestroyLeavesTheQueueUsable(TckLink link) throws Exception {
    try (Bench bench = Bench.open(link, 1)) {
      CompletionQueue cq = bench.cq(0);
      bench.raise(0);
      assertThat(bench.channel().getCqEvent(Await.DEADLINE)).isSameAs(cq);
      bench.pairs().getFirst().right().qp().destroy();
      Background<Void> destroy = Background.run(cq::destroy).awaitBlocked();

      destroy.interrupt();

      Refused.of(destroy::result, Errno.EINTR);
      assertThat(cq.isClosed()).isFalse();
      cq.ackEvents(1);
      cq.destroy();
    }
  }

  @OnEveryLink
  void closingAQueueAcknowledgesAndForgetsItsEvents(TckLink link) throws Exception {
    try (Bench bench = Bench.open(link, 2)) {
      CompletionQueue cq = bench.cq(0);
      bench.raise(0);
      assertThat(bench.channel().getCqEvent(Await.DEADLINE)).isSameAs(cq);
      bench.raise(0);
      bench.raise(1);
      bench.pairs().getFirst().right().qp().close();
      Background.run(cq::close).result();
      assertThat(bench.channel().getCqEvent(Await.DEADLINE)).isSameAs(bench.cq(1));
      assertThat(bench.channel().getCqEvent(Duration.ZERO)).isNull();
      bench.cq(1).ackEvents(1);
    }
  }

  @OnEveryLink
  @Proves("S6.10")
  void aSelectorSeesTheChannelReadyWhileEventsWait(TckLink link) throws Exception {
    try (Bench bench = Bench.open(link, 2);
        Selector selector = Selector.open()) {
      EventSource source = bench.channel();
      SelectionKey key = source.selectable().register(selector, SelectionKey.OP_READ);
      assertThat(source.selectable()).isSameAs(key.channel());
      assertThat(source.isReady()).isFalse();
      assertThat(selector.selectNow()).isZero();

      bench.raise(0);
      bench.raise(1);
      assertReady(selector, key);
      assertThat(source.isReady()).isTrue();
      take(bench, 0);
      assertReady(selector, key);
      assertThat(source.isReady()).isTrue();
      take(bench, 1);

      assertThat(source.isReady()).isFalse();
      Await.until("the selector to see no event", () -> selectNow(selector) == 0);

      bench.raise(1);
      assertReady(selector, key);
      take(bench, 1);
    }
  }

  @OnEveryLink
  @Proves("S6.10")
  void aListenerHasATokenForEveryEvent(TckLink link) throws Exception {
    try (Bench bench = Bench.open(link, 2)) {
      Tokens tokens = new Tokens();
      bench.channel().onReadiness(tokens);
      assertThat(tokens.take()).isFalse();
      bench.raise(0);
      Await.until("a token", tokens::take);
      bench.raise(1);
      take(bench, 0);
      Await.until("a token for the event behind it", tokens::take);
      take(bench, 1);
      assertThat(tokens.take()).isFalse();
    }
  }

  @OnEveryLink
  @Proves("S6.10")
  void aListenerLosesItsTokenWithTheQueueWhoseEventsWait(TckLink link) throws Exception {
    try (Bench bench = Bench.open(link, 1)) {
      bench.raise(0);
      Await.until("an event", bench.channel()::isReady);
      Tokens tokens = new Tokens();
      bench.channel().onReadiness(tokens);
      assertThat(tokens.handedOut()).isEqualTo(1);
      bench.pairs().getFirst().right().qp().destroy();
      bench.cq(0).destroy();
      assertThat(tokens.take()).isFalse();
    }
  }

  private static void assertReady(Selector selector, SelectionKey key) throws IOException {
    selector.selectedKeys().clear();
    selector.select(Await.DEADLINE.toMillis());
    assertThat(selector.selectedKeys()).containsExactly(key);
  }

  private static int selectNow(Selector selector) {
    selector.selectedKeys().clear();
    try {
      return selector.selectNow();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void take(Bench bench, int i) throws InterruptedException {
    assertThat(bench.channel().getCqEvent(Duration.ZERO)).isSameAs(bench.cq(i));
    bench.cq(i).ackEvents(1);
  }

  private static Context open() {
    return Devices.open(TckLink.selected().getFirst().device());
  }
}
