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
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.QpAttr;
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
    try (Drains drains = Drains.open(link)) {
      Context context = drains.target();
      Set<AsyncEvent> seen = ConcurrentHashMap.newKeySet();
      List<Background<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(Background.call(() -> takeUntilInterrupted(context, seen)).awaitBlocked());
      }
      for (int i = 0; i < events; i++) {
        drains.provoke();
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
    try (Drains drains = Drains.open(link);
        Context sibling = Devices.open(drains.target().device().spec())) {
      drains.provoke();
      try (AsyncEvent event = drains.target().getAsyncEvent(Await.DEADLINE)) {
        assertThat(event).isNotNull();
        assertThat(event.eventType()).isEqualTo(EventType.SQ_DRAINED);
        assertThat(event.portNum()).isZero();
      }
      Events.assertNone(sibling);
      Events.assertNone(drains.pair().left().context());
    }
  }

  @OnEveryLink
  @Proves("S10.1")
  void aSelectorSeesEventsWaiting(TckLink link) throws Exception {
    try (Drains drains = Drains.open(link);
        Selector selector = Selector.open()) {
      Context context = drains.target();
      context.asyncEventSource().selectable().register(selector, SelectionKey.OP_READ);
      assertThat(selector.selectNow()).isZero();
      drains.provoke();
      assertThat(selector.select(Await.DEADLINE.toMillis())).isEqualTo(1);
      assertThat(context.asyncEventSource().isReady()).isTrue();
      Events.await(context, EventType.SQ_DRAINED).ack();
      assertThat(context.asyncEventSource().isReady()).isFalse();
    }
  }

  @OnEveryLink
  @Proves("S10.1")
  void aListenerHasATokenForEveryEvent(TckLink link) throws InterruptedException {
    try (Drains drains = Drains.open(link)) {
      Tokens tokens = new Tokens();
      drains.target().asyncEventSource().onReadiness(tokens);
      drains.provoke();
      Await.until("a token", tokens::take);
      drains.provoke();
      Events.await(drains.target(), EventType.SQ_DRAINED).ack();
      Await.until("a token for the event behind it", tokens::take);
      Events.await(drains.target(), EventType.SQ_DRAINED).ack();
      assertThat(tokens.take()).isFalse();
    }
  }

  @OnEveryLink
  void acknowledgingTwiceDoesNothing(TckLink link) throws InterruptedException {
    try (Drains drains = Drains.open(link)) {
      drains.provoke();
      drains.provoke();
      AsyncEvent first = Events.await(drains.target(), EventType.SQ_DRAINED);
      AsyncEvent second = Events.await(drains.target(), EventType.SQ_DRAINED);
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

  /** Drains send queues of queue pairs of one context, each of which raises SQ_DRAINED. */
  private record Drains(PairSetup setup, QpPair pair) implements AutoCloseable {
    static Drains open(TckLink link) {
      PairSetup setup = PairSetup.on(link);
      return new Drains(setup, setup.openUnconnected());
    }

    Context target() {
      return pair.right().context();
    }

    void provoke() {
      QpEnd right = setup.another(pair).right();
      right.qp().modify(new QpAttr().qpState(QpState.SQD).enSqdAsyncNotify(true));
    }

    @Override
    public void close() {
      pair.close();
    }
  }
}
