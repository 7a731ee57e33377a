package dev.verbena.tck.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.Tokens;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.QpState;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Waiting for asynchronous events, and their recipients: S10.1, S10.5. */
final class AsyncEventTest {

  @Test
  @Proves("S10.1")
  void withoutAnEventTheWaitEndsWhenItsTimeIsOver() throws InterruptedException {
    try (Context context = open()) {
      assertThat(context.getAsyncEvent(Duration.ZERO)).isNull();
      long start = System.nanoTime();
      assertThat(context.getAsyncEvent(Duration.ofMillis(30))).isNull();
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(30_000_000L);
    }
  }

  @Test
  @Proves("S10.1")
  void waitingIsInterruptible() {
    try (Context context = open()) {
      Background<AsyncEvent> waiter = Background.call(() -> context.getAsyncEvent()).awaitBlocked();
      waiter.interrupt();
      assertThatThrownBy(waiter::result).isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void closingTheContextEndsTheWait() {
    Context context = open();
    Background<AsyncEvent> waiter = Background.call(() -> context.getAsyncEvent()).awaitBlocked();
    context.close();
    assertThatThrownBy(waiter::result).isInstanceOf(ObjectClosedException.class);
  }

  @OnEveryLink
  @Proves("S10.1")
  void eachEventGoesToExactlyOneOfManyReaders(TckLink link) throws Exception {
    int events = 6;
    try (Failures failures = Failures.open(link)) {
      Context context = failures.target();
      Set<AsyncEvent> seen = ConcurrentHashMap.newKeySet();
      List<Background<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(Background.call(() -> takeUntilInterrupted(context, seen)).awaitBlocked());
      }
      for (int i = 0; i < events; i++) {
        failures.provoke();
      }
      Await.until("all events", () -> seen.size() == events);
      int delivered = 0;
      for (Background<Integer> reader : readers) {
        reader.interrupt();
        delivered += reader.result();
      }
      assertThat(delivered).isEqualTo(events);
      assertThat(seen.stream().map(AsyncEvent::qp).distinct()).hasSize(events);
    }
  }

  @OnEveryLink
  @Proves("S10.5")
  void eventsGoOnlyToTheContextOfTheirObject(TckLink link) throws InterruptedException {
    try (Failures failures = Failures.open(link);
        Context sibling = Devices.open(failures.target().device().spec())) {
      failures.provoke();
      try (AsyncEvent event = failures.target().getAsyncEvent(Await.DEADLINE)) {
        assertThat(event).isNotNull();
        assertThat(event.eventType()).isEqualTo(EventType.QP_ACCESS_ERR);
        assertThat(event.portNum()).isZero();
      }
      Events.assertNone(sibling);
      Events.assertNone(failures.pair().left().context());
    }
  }

  @OnEveryLink
  @Proves("S10.1")
  void aSelectorSeesEventsWaiting(TckLink link) throws Exception {
    try (Failures failures = Failures.open(link);
        Selector selector = Selector.open()) {
      Context context = failures.target();
      context.asyncEventSource().selectable().register(selector, SelectionKey.OP_READ);
      assertThat(selector.selectNow()).isZero();
      failures.provoke();
      assertThat(selector.select(Await.DEADLINE.toMillis())).isEqualTo(1);
      assertThat(context.asyncEventSource().isReady()).isTrue();
      Events.await(context, EventType.QP_ACCESS_ERR).ack();
      assertThat(context.asyncEventSource().isReady()).isFalse();
    }
  }

  @OnEveryLink
  @Proves("S10.1")
  void aListenerHasATokenForEveryEvent(TckLink link) throws InterruptedException {
    try (Failures failures = Failures.open(link)) {
      Tokens tokens = new Tokens();
      failures.target().asyncEventSource().onReadiness(tokens);
      failures.provoke();
      Await.until("a token", tokens::take);
      failures.provoke();
      Events.await(failures.target(), EventType.QP_ACCESS_ERR).ack();
      Await.until("a token for the event behind it", tokens::take);
      Events.await(failures.target(), EventType.QP_ACCESS_ERR).ack();
      assertThat(tokens.take()).isFalse();
    }
  }

  @OnEveryLink
  void acknowledgingTwiceDoesNothing(TckLink link) throws InterruptedException {
    try (Failures failures = Failures.open(link)) {
      failures.provoke();
      failures.provoke();
      AsyncEvent first = Events.await(failures.target(), EventType.QP_ACCESS_ERR);
      AsyncEvent second = Events.await(failures.target(), EventType.QP_ACCESS_ERR);
      first.ack();
      first.ack();
      first.close();
      second.ack();
      assertThat(first.qp()).isNotSameAs(second.qp());
      first.qp().destroy();
      second.qp().destroy();
    }
  }

  private static int takeUntilInterrupted(Context context, Set<AsyncEvent> seen) {
    int taken = 0;
    try {
      while (true) {
        AsyncEvent event = context.getAsyncEvent();
        event.ack();
        seen.add(event);
        taken++;
      }
    } catch (InterruptedException over) {
      return taken;
    }
  }

  private static Context open() {
    return Devices.open(TckLink.selected().getFirst().device());
  }

  /** Makes queue pairs of one context refuse an access, each of which raises QP_ACCESS_ERR. */
  private record Failures(PairSetup setup, QpPair pair) implements AutoCloseable {
    static Failures open(TckLink link) {
      PairSetup setup = PairSetup.on(link).mrAccess(1);
      return new Failures(setup, setup.openUnconnected());
    }

    Context target() {
      return pair.right().context();
    }

    void provoke() {
      QpPair next = setup.another(pair);
      QpEnd left = next.left();
      QpEnd right = next.right();
      left.qp().postSend(SendWrs.write(1, right, 0, left.sge(0, 8)));
      left.awaitSend(1);
      right.awaitState(QpState.ERR);
    }

    @Override
    public void close() {
      pair.close();
    }
  }
}
