package dev.verbena.verbs.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.EventType;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The events of a completion queue that is to end. */
@Timeout(60)
class CqEventsTest {
  private final Lifetime lifetime =
      Lifetime.root("context", new Population(kind -> 1), () -> Lifetime.NOTHING);
  private final AsyncEvents all = new AsyncEvents(null, lifetime, new WaitSignal(() -> {}));
  private final Object queue = new Object();
  private final CqEvents events = new CqEvents("CQ 1", new ObjectEvents(all, queue));
  private final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();

  /** Starts a thread that waits for the end of all events, and returns when it waits. */
  private Thread waits() {
    Thread thread = Thread.ofPlatform().start(this::await);
    while (thread.getState() != Thread.State.WAITING) {
      assertThat(thread.isAlive()).as("waits").isTrue();
      Thread.onSpinWait();
    }
    return thread;
  }

  private void await() {
    try {
      events.await();
      interrupted.complete(false);
    } catch (InterruptedException e) {
      interrupted.complete(true);
    }
  }

  @Test
  void anEventThatIsRaisedWhileTheQueueWaitsIsNotLostIfItStays()
      throws InterruptedException, ExecutionException {
    assertThat(events.take()).isTrue();
    Thread thread = waits();
    events.raise(EventType.CQ_ERR);
    thread.interrupt();
    assertThat(interrupted.get()).isTrue();
    AsyncEvent event = all.await(Deadline.after(Duration.ofSeconds(30)));
    assertThat(event).isNotNull();
    assertThat(event.eventType()).isEqualTo(EventType.CQ_ERR);
    assertThat(event.cq()).isNull();
    assertThat(events.take()).as("notifications go on").isTrue();
  }

  @Test
  void itEndsWhenEventsOfBothKindsAreAcknowledged()
      throws InterruptedException, ExecutionException {
    assertThat(events.take()).isTrue();
    events.raise(EventType.CQ_ERR);
    AsyncEvent event = all.await(Deadline.after(Duration.ofSeconds(30)));
    assertThat(event).isNotNull();
    Thread thread = waits();
    events.acknowledge(1);
    assertThat(interrupted.isDone()).isFalse();
    event.ack();
    thread.join();
    assertThat(interrupted.get()).isFalse();
    assertThat(events.isRetired()).isTrue();
    assertThat(events.take()).isFalse();
  }
}
