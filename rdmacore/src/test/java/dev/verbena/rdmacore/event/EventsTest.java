package dev.verbena.rdmacore.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.rdmacore.call.Answer;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvAsyncEvent;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.AsyncEvents;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.Population;
import dev.verbena.verbs.provider.WaitSignal;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of events, and of those who wait for them, when something fails. */
final class EventsTest {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private final Pipe pipe = new Pipe();
  private final Arena arena = Arena.ofShared();

  @AfterEach
  void close() {
    pipe.close();
    arena.close();
  }

  @Test
  void theLastEventOfADeviceIsDeliveredBeforeTheFailure() throws InterruptedException {
    Library library = new Library();
    library.types.add(EventType.DEVICE_FATAL.number());
    library.end = Errno.EIO;
    ContextEvents events = events(library);
    assertThat(events.isReady()).isTrue();
    AsyncEvent event = events.await(DEADLINE);
    assertThat(event.eventType()).isEqualTo(EventType.DEVICE_FATAL);
    assertThat(library.acknowledged).containsExactly(EventType.DEVICE_FATAL.number());
    assertThat(events.isReady()).as("the failure is news, too").isTrue();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> events.await(DEADLINE))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EIO))
          .hasMessageContaining("no more events of the context of forged can be read");
    }
    assertThatCode(events.descriptor()::close).doesNotThrowAnyException();
  }

  @Test
  void whoWaitsIsToldThatTheDeviceIsGone() {
    Library library = new Library();
    ContextEvents events = events(library);
    Waiter waiter = new Waiter(events);
    library.end = Errno.EIO;
    pipe.fill();
    waiter.assertErrno(Errno.EIO);
  }

  @Test
  void moreVirtualThreadsThanCarriersWaitAtOnce() {
    Library library = new Library();
    ContextEvents events = events(library);
    // A thread that waits in a native call keeps its carrier, and the others never begin.
    List<Waiter> waiters =
        Stream.generate(() -> new Waiter(events))
            .limit(8L * Runtime.getRuntime().availableProcessors())
            .toList();
    waiters.forEach(Waiter::awaitParked);
    library.end = Errno.EIO;
    pipe.fill();
    waiters.forEach(waiter -> waiter.assertErrno(Errno.EIO));
  }

  @Test
  void whoWaitsIsToldWhenTheKernelHangsUpWithoutAnError() {
    ContextEvents events = events(new Library());
    Waiter waiter = new Waiter(events);
    pipe.closeTo();
    waiter.assertErrno(Errno.EIO);
  }

  @Test
  void anEventOfAnUnknownTypeIsAcknowledgedAndDropped() throws InterruptedException {
    Library library = new Library();
    library.types.add(4711);
    library.types.add(EventType.PORT_ERR.number());
    ContextEvents events = events(library);
    assertThat(events.await(DEADLINE).eventType()).isEqualTo(EventType.PORT_ERR);
    assertThat(library.acknowledged).containsExactly(4711, EventType.PORT_ERR.number());
  }

  @Test
  void anEventThatCannotBeDeliveredIsAcknowledged() {
    Library library = new Library();
    library.types.add(0);
    Told told = new Told(new OutOfMemoryError("deliberate"));
    EventStream stream = stream(library, pipe, told);
    assertThatThrownBy(stream::read).isInstanceOf(OutOfMemoryError.class);
    assertThat(library.acknowledged).containsExactly(0);
  }

  @Test
  void anErrorEndsTheWatchOfOneDescriptorOnly() throws InterruptedException {
    try (Pipe other = new Pipe()) {
      Library broken = new Library();
      Told toldBroken = new Told(new OutOfMemoryError("deliberate"));
      EventStream brokenStream = stream(broken, pipe, toldBroken);
      brokenStream.watch();
      Library sound = new Library();
      Told toldSound = new Told(null);
      EventStream soundStream = stream(sound, other, toldSound);
      soundStream.watch();
      broken.types.add(0);
      pipe.fill();
      assertThat(toldBroken.failed.await(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      sound.types.add(0);
      other.fill();
      assertThat(toldSound.delivered.await(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(toldSound.failed.getCount()).isOne();
    }
  }

  @Test
  void whenTheWatchingThreadEndsAllReadersAreTold() throws InterruptedException {
    try (Pipe other = new Pipe()) {
      Watcher watcher = new Watcher();
      CountDownLatch abandoned = new CountDownLatch(2);
      Abandoned first = new Abandoned(abandoned);
      Abandoned second = new Abandoned(abandoned);
      watcher.begin(pipe.from, first);
      watcher.begin(other.from, second);
      // The thread's next wait fails, since its descriptor is one of a pipe now.
      other.replace(watcher.epoll());
      pipe.fill();
      assertThat(abandoned.await(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThatThrownBy(() -> watcher.begin(pipe.from, first))
          .hasMessageContaining("the thread that waits for events has ended");
    }
  }

  @Test
  void aWatchEndsOnceAndEvenIfTheKernelHasLetGo() {
    Watcher watcher = new Watcher();
    Watcher.Watch watch = watcher.begin(pipe.from, new Abandoned(new CountDownLatch(1)));
    pipe.closeFrom();
    watch.end();
    watch.end();
  }

  @Test
  void anObjectEndsEvenIfAStepBeforeFails() {
    List<String> done = new ArrayList<>();
    Handle handle =
        new Handle(
            "CQ 1",
            1,
            address -> {
              done.add("struct " + address);
              throw new IllegalStateException("third");
            });
    Runnable ending =
        handle.endingAfter(
            () -> {
              throw new IllegalStateException("first");
            },
            () -> {
              done.add("second");
              throw new OutOfMemoryError("deliberate");
            });
    assertThatThrownBy(ending::run)
        .hasMessage("first")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(done).containsExactly("second", "struct 1");
  }

  /** The events of a forged context, whose descriptor is the pipe's. */
  private ContextEvents events(Library library) {
    String name = "context of forged";
    Lifetime lifetime = Lifetime.root(name, new Population(kind -> 1), () -> Lifetime.NOTHING);
    long struct = arena.allocate(IbvContext.LAYOUT.size(), Long.BYTES).address();
    Host.setInt(struct + IbvContext.ASYNC_FD, pipe.from);
    return new ContextEvents(
        name,
        new Handle(name, struct, address -> {}),
        library,
        new Elements(),
        new AsyncEvents(null, lifetime, new WaitSignal(() -> {})));
  }

  private static EventStream stream(Library library, Pipe pipe, Told told) {
    return new EventStream(
        "getAsyncEvent",
        "context of forged",
        new Handle("context of forged", 1, address -> {}),
        new Descriptor(pipe.from),
        library,
        told);
  }

  /** A virtual thread that waits for an event, which is never to come. */
  private static final class Waiter {
    private final CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    private final Thread thread;

    Waiter(ContextEvents events) {
      thread = Thread.startVirtualThread(() -> await(events));
    }

    private void await(ContextEvents events) {
      try {
        thrown.complete(new AssertionError("there is an event: " + events.await(DEADLINE)));
      } catch (InterruptedException | RuntimeException e) {
        thrown.complete(e);
      }
    }

    void awaitParked() {
      long end = System.nanoTime() + DEADLINE.toNanos();
      while (thread.getState() != Thread.State.TIMED_WAITING) {
        assertThat(System.nanoTime()).as("still " + thread.getState()).isLessThan(end);
        Thread.onSpinWait();
      }
    }

    void assertErrno(int errno) {
      assertThat(thrown.orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS).join())
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }
  }

  /** What a library would say. */
  private static final class Library implements EventStream.Calls {
    final Queue<Integer> types = new ConcurrentLinkedQueue<>();
    final List<Integer> acknowledged = new ArrayList<>();
    volatile int end = Errno.EAGAIN;

    @Override
    public Answer read(long owner, long event) {
      Integer type = types.poll();
      if (type == null) {
        return new Answer("ibv_get_async_event", -1, end);
      }
      Host.setInt(event + IbvAsyncEvent.EVENT_TYPE, type);
      return new Answer("ibv_get_async_event", 0, 0);
    }

    @Override
    public void acknowledge(long event) {
      acknowledged.add(Host.getInt(event + IbvAsyncEvent.EVENT_TYPE));
    }
  }

  /** Counts what it is told, and throws this, if it is not null, for an event. */
  private static final class Told implements EventStream.Receiver {
    final CountDownLatch delivered = new CountDownLatch(1);
    final CountDownLatch failed = new CountDownLatch(1);
    private final Error thrown;

    Told(Error thrown) {
      this.thrown = thrown;
    }

    @Override
    public void deliver(long event) {
      if (thrown != null) {
        throw thrown;
      }
      delivered.countDown();
    }

    @Override
    public void fail(int errno, String detail) {
      failed.countDown();
    }
  }

  /** Told once that the descriptor is watched no more. */
  private record Abandoned(CountDownLatch told) implements Watcher.Reader {
    @Override
    public void ready(boolean last) {}

    @Override
    public void abandon(String why) {
      told.countDown();
    }
  }
}
