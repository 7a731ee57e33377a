package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.soft.engine.progress.Attendance;
import dev.verbena.soft.engine.qp.Fabric;
import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Receiver;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.soft.transport.Clock;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.provider.WaitSignal;
import dev.verbena.wire.Address;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class EngineThreadTest {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

  /** The longest sleep of the thread, which a lost wake-up may cost. */
  private static final long IDLE_NANOS = 1_000_000_000;

  /** Counts how often the engine thread parks and is woken. */
  private static class CountingLink extends ForwardingLink {
    final AtomicInteger awaits = new AtomicInteger();
    final AtomicInteger wakes = new AtomicInteger();
    final AtomicInteger receives = new AtomicInteger();
    final AtomicInteger sends = new AtomicInteger();

    CountingLink(Link link) {
      super(link);
    }

    @Override
    public boolean send(MemorySegment datagram, long length, Route route, long now) {
      sends.incrementAndGet();
      return super.send(datagram, length, route, now);
    }

    @Override
    public int receive(Receiver receiver, int most, long now) {
      receives.incrementAndGet();
      return super.receive(receiver, most, now);
    }

    @Override
    public void await(long nanos) {
      awaits.incrementAndGet();
      super.await(nanos);
    }

    @Override
    public void wake() {
      wakes.incrementAndGet();
      super.wake();
    }
  }

  private final MemoryNetwork network = new MemoryNetwork();
  private final Fabric fabric = new Fabric();

  private CountingLink link(int host) {
    return new CountingLink(
        network.open(Address.ofIpv4(0x0A000000 + host), (counter, count) -> {}));
  }

  private Engine engine(Link link) {
    return engine("thread-test", link);
  }

  private Engine engine(String name, Link link) {
    return engine(name, link, Lab.realTime());
  }

  private Engine engine(String name, Link link, Clock clock) {
    return new Engine(
        new EngineOptions(
            name,
            clock,
            new SplittableRandom(link.address().lo()),
            new Tally(),
            true,
            false,
            true,
            Lab.ALL),
        link,
        fabric);
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE;
    // One observation is enough, because the condition may end again.
    boolean met = condition.getAsBoolean();
    while (!met && System.nanoTime() < deadline) {
      Thread.onSpinWait();
      met = condition.getAsBoolean();
    }
    assertThat(met).as(what).isTrue();
  }

  @Test
  void anIdleEngineSeldomWakesUp() {
    CountingLink link = link(1);
    Engine engine = engine(link);
    try {
      await("first parking", () -> link.awaits.get() > 0);
      int before = link.awaits.get();
      long start = System.nanoTime();
      await("two more parkings", () -> link.awaits.get() >= before + 2);
      assertThat(System.nanoTime() - start).isGreaterThan(IDLE_NANOS / 2);
    } finally {
      engine.close();
    }
  }

  /** Both ends sleep until a message comes; each lost wake-up would cost a second. */
  @ParameterizedTest(name = "loopback {0}")
  @ValueSource(booleans = {true, false})
  void noWakeUpIsLostBetweenApplicationsThatSleep(boolean loopback) throws InterruptedException {
    int rounds = 1_000;
    try (Lab lab = Lab.threaded(loopback)) {
      Peer a = new Peer(lab.engine(), 1_000);
      Peer b = new Peer(lab.engine(), 1_000);
      Peer.connect(a, b);
      a.receive(1, 100);
      b.receive(1, 100);
      a.ring.arm(false);
      b.ring.arm(false);
      Thread echo =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < rounds; i++) {
                      awaitReceive(b);
                      b.receive(1, 100);
                      b.send(2, 8);
                    }
                  });
      long start = System.nanoTime();
      for (int i = 0; i < rounds; i++) {
        a.send(2, 8);
        awaitReceive(a);
        a.receive(1, 100);
      }
      echo.join();
      assertThat((System.nanoTime() - start) / rounds)
          .as("nanoseconds a round")
          .isLessThan(IDLE_NANOS / 50);
    }
  }

  /** Sleeps until a receive completes; arms and signals as a completion channel does. */
  private static void awaitReceive(Peer peer) {
    while (true) {
      WorkCompletion completion = peer.pollOnly();
      while (completion != null) {
        assertThat(completion.status()).isEqualTo(WcStatus.SUCCESS);
        if (completion.wrId() == 1) {
          return;
        }
        completion = peer.pollOnly();
      }
      peer.signal.lower();
      peer.ring.arm(false);
      if (peer.ring.isEmpty()) {
        try {
          assertThat(peer.signal.await(PATIENCE)).as("an event came").isTrue();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
    }
  }

  @Test
  void theThreadStepsBackWhileTheApplicationPollsAndComesBackAfterwards() {
    CountingLink link = link(1);
    Engine engine = engine(link);
    EngineThread thread = engine.thread();
    try {
      await(
          "stepping back",
          () -> {
            pollALot(engine);
            link.wake();
            return thread.watching;
          });
      await("taking over", () -> !thread.watching);
    } finally {
      engine.close();
    }
  }

  /** Without packets to expect, few polls look at the link. */
  private static void pollALot(Engine engine) {
    for (int i = 0; i < 1_000; i++) {
      engine.progress();
    }
  }

  /** Like the kernel's, its sleep does not end by a packet that a poll has taken meanwhile. */
  @Test
  void theThreadStepsBackWhenPollsHaveTakenManyPacketsWhileItSlept() {
    Thread program = Thread.currentThread();
    Semaphore bell = new Semaphore(0);
    CountingLink link =
        new CountingLink(link(1)) {
          @Override
          public int receive(Receiver receiver, int most, long now) {
            if (!Thread.currentThread().equals(program)) {
              return 0;
            }
            receives.incrementAndGet();
            return 1;
          }

          @Override
          public void await(long nanos) {
            awaits.incrementAndGet();
            bell.acquireUninterruptibly();
          }

          @Override
          public void wake() {
            super.wake();
            bell.release();
          }
        };
    // Its time stands still, so that it does not come back when this thread loses its processor.
    Engine engine = engine("thread-test", link, () -> 1);
    try {
      await("the first sleep", () -> link.awaits.get() > 0);
      int wakes = link.wakes.get();
      while (link.receives.get() < Attendance.MOST_MISSED - 1) {
        engine.progress();
      }
      assertThat(link.wakes).hasValue(wakes);
      await(
          "stepping back",
          () -> {
            engine.progress();
            return engine.thread().watching;
          });
      assertThat(link.awaits).hasValue(1);
    } finally {
      engine.close();
    }
  }

  /**
   * It polls for a limited time, and then a packet lies there; the next time it has to prove more.
   */
  @Test
  void aProgramThatStopsPollingAtOnceHasToPollLongerBeforeTheThreadStepsBackAgain() {
    CountingLink link = link(1);
    Engine engine = engine(link);
    try (Link peer = link(2)) {
      assertThat(parkingsUntilItStepsBack(engine, link)).isGreaterThanOrEqualTo(8);
      // Only a packet that comes soon counts, and this thread may lose its processor.
      await(
          "a longer proof",
          () -> {
            peer.send(
                MemorySegment.ofArray(new byte[64]), 64, new Route(link.address(), 0, 64, 0), 0);
            await("taking over", () -> !engine.thread().watching);
            return parkingsUntilItStepsBack(engine, link) >= 16;
          });
    } finally {
      engine.close();
    }
  }

  private static int parkingsUntilItStepsBack(Engine engine, CountingLink link) {
    // A wait that began before the first poll may end after it.
    int before = link.awaits.get() - 1;
    await(
        "stepping back",
        () -> {
          // Only says so: a poll would sometimes hold the guard, and then the thread does not park.
          for (int i = 0; i < 10; i++) {
            engine.attendance.comes(engine.clock().now());
            engine.attendance.goes(engine.clock().now());
          }
          link.wake();
          return engine.thread().watching;
        });
    return link.awaits.get() - before;
  }

  @Test
  void theThreadDoesNotSpinWhileAnotherIsHeldUpInTheMiddleOfReceiving()
      throws InterruptedException {
    CountDownLatch receiving = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Link held =
        new ForwardingLink(link(1)) {
          @Override
          public int receive(Receiver receiver, int most, long now) {
            if (Thread.currentThread().getName().equals("held up")) {
              receiving.countDown();
              awaitWithoutInterruption(goOn);
            }
            return super.receive(receiver, most, now);
          }
        };
    // Other tests have engines at the same time.
    Engine engine = engine("pausing", held);
    Thread engineThread =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("verbena pausing"))
            .findAny()
            .orElseThrow();
    Thread poller =
        Thread.ofPlatform()
            .name("held up")
            .start(
                () -> {
                  while (goOn.getCount() > 0) {
                    engine.progress();
                  }
                });
    try (Link peer = link(2)) {
      assertThat(receiving.await(PATIENCE, TimeUnit.NANOSECONDS)).isTrue();
      // It stays unread, so the link has something all the time.
      peer.send(MemorySegment.ofArray(new byte[64]), 64, new Route(held.address(), 0, 64, 0), 0);
      await("a pause", () -> isPausing(engineThread));
    } finally {
      goOn.countDown();
      poller.join();
      engine.close();
    }
  }

  /** Whether it is parked, but not in the link, which has something to receive. */
  private static boolean isPausing(Thread thread) {
    List<String> methods =
        Arrays.stream(thread.getStackTrace()).map(StackTraceElement::getMethodName).toList();
    return methods.contains("parkNanos") && !methods.contains("await");
  }

  private static void awaitWithoutInterruption(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * The clock advances when it is read, so packets that find the thread asleep come soon, however
   * slow the computer.
   */
  @Test
  void theThreadStaysAwakeForAWhileOncePacketsFollowOneAnother() {
    assumeTrue(Runtime.getRuntime().availableProcessors() >= 4, "otherwise it hardly ever does");
    CountingLink link = link(1);
    AtomicLong clock = new AtomicLong();
    Engine engine = engine("awake", link, () -> clock.addAndGet(1_000));
    try (Link peer = link(2)) {
      MemorySegment packet = MemorySegment.ofArray(new byte[64]);
      Route route = new Route(link.address(), 0, 64, 0);
      await("the first sleep", () -> link.awaits.get() > 0);
      await(
          "a longer look",
          () -> {
            int sleeps = link.awaits.get();
            int before = link.receives.get();
            peer.send(packet, 64, route, 0);
            await("the next sleep", () -> link.awaits.get() > sleeps);
            return link.receives.get() - before > 5;
          });
    } finally {
      engine.close();
    }
  }

  @Test
  void aThreadOfTheDeviceIsKnownByWhatItsNameBeginsWith() {
    Engine engine = engine(link(1));
    try {
      assertThat(Thread.getAllStackTraces().keySet())
          .extracting(Thread::getName)
          .contains("verbena thread-test");
    } finally {
      engine.close();
    }
  }

  @Test
  void aThreadThatIsAboutToBlockMakesTheEngineTakeOver() throws InterruptedException {
    CountingLink link = link(1);
    // Its time stands still: the poller may lose its processor, and still has just called.
    Engine engine = engine("thread-test", link, () -> 1);
    EngineThread thread = engine.thread();
    WaitSignal signal = engine.newSignal();
    AtomicInteger polling = new AtomicInteger(1);
    Thread poller =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (polling.get() == 1) {
                    pollALot(engine);
                    link.wake();
                  }
                });
    try {
      await("stepping back", () -> thread.watching);
      int before = link.awaits.get();
      // Long enough to see it; then it yields again, because another thread still polls. If that
      // one loses its processor amid a poll, it yields before it has waited at the link.
      long deadline = System.nanoTime() + PATIENCE;
      while (link.awaits.get() == before && System.nanoTime() < deadline) {
        assertThat(signal.await(TimeUnit.MILLISECONDS.toNanos(20))).isFalse();
      }
      assertThat(link.awaits.get()).as("taking over").isGreaterThan(before);
    } finally {
      polling.set(0);
      poller.join();
      engine.close();
    }
  }

  @Test
  void theProgramIsAtWorkWhileItHandlesWhatItsPollHasReceived() {
    Thread program = Thread.currentThread();
    AtomicInteger messages = new AtomicInteger();
    Link full =
        new ForwardingLink(link(1)) {
          @Override
          public int receive(Receiver receiver, int most, long now) {
            return Thread.currentThread().equals(program) ? messages.get() : 0;
          }
        };
    Engine engine = engine("thread-test", full, () -> 1);
    try {
      pollALot(engine);
      assertThat(engine.attendance.isWithin(0, 2)).isFalse();
      messages.set(16);
      pollALot(engine);
      assertThat(engine.attendance.isWithin(0, 16_000)).isTrue();
    } finally {
      engine.close();
    }
  }

  @Test
  void theLinkDoesItsOtherWorkAlsoWhileOneFullBatchFollowsTheOther() {
    AtomicInteger visits = new AtomicInteger();
    Link busy =
        new ForwardingLink(link(1)) {
          @Override
          public int receive(Receiver receiver, int most, long now) {
            return most;
          }

          @Override
          public void await(long nanos) {
            visits.incrementAndGet();
          }
        };
    Engine engine = engine(busy);
    try {
      await("a visit", () -> visits.get() > 0);
    } finally {
      engine.close();
    }
  }

  @Test
  void postingCostsNoSystemCallWhileTheApplicationPolls() {
    CountingLink link = link(1);
    Engine near = engine(link);
    Engine far = engine(link(2));
    try {
      Peer a = new Peer(near, 10_000);
      Peer b = new Peer(far, 10_000);
      Peer.connect(a, b);
      EngineThread thread = near.thread();
      int quiet = 0;
      long deadline = System.nanoTime() + PATIENCE;
      // This thread may be preempted at any time, so count only posts during which nothing changed.
      while (quiet < 100 && System.nanoTime() < deadline) {
        near.progress();
        boolean watching = thread.watching;
        int wakes = link.wakes.get();
        a.write(1, b, 100);
        int after = link.wakes.get();
        if (watching && thread.watching) {
          assertThat(after).as("wakes").isEqualTo(wakes);
          quiet++;
        }
        a.awaitSuccess(1);
      }
      assertThat(quiet).isEqualTo(100);
    } finally {
      near.close();
      far.close();
    }
  }

  @Test
  void aTimerIsServedThoughNobodyPolls() throws InterruptedException {
    Engine near = engine(link(1));
    Engine far = engine(link(2));
    try {
      Peer a = new Peer(near, 10_000);
      Peer b = new Peer(far, 10_000);
      a.connectTo(b, 1, 1, 10);
      far.detach(b.qp);
      a.ring.arm(false);
      a.write(1, b, 100);
      assertThat(a.signal.await(PATIENCE)).isTrue();
      assertThat(a.pollOnly().status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
    } finally {
      near.close();
      far.close();
    }
  }

  /** As with UDP, packets leave in runs. */
  private CountingLink linkWithRuns(int host) {
    Link inner = network.open(Address.ofIpv4(0x0A000000 + host), (counter, count) -> {});
    return new CountingLink(inner) {
      @Override
      public int mostSegments() {
        return 4;
      }
    };
  }

  /** Polls until as many requests have succeeded. */
  private static void awaitSuccesses(Peer peer, int count) {
    for (int i = 0; i < count; i++) {
      await("a completion", () -> peer.poll(WcStatus.SUCCESS));
    }
  }

  @Test
  void theAcknowledgementThatWaitsForTheProgramsReplyAlsoLeavesWithoutOne() {
    Engine near = engine(linkWithRuns(1));
    CountingLink farLink = linkWithRuns(2);
    Engine far = engine("far", farLink);
    try {
      Peer a = new Peer(near, 10_000);
      Peer b = new Peer(far, 10_000);
      // With time-outs of hours, so that a lost acknowledgement is not hidden by another one.
      a.connectTo(b, 100, 200, 31);
      b.connectTo(a, 200, 100, 31);
      int waited = 0;
      long deadline = System.nanoTime() + PATIENCE;
      // It waits once the habit has formed and the engine thread has stepped back.
      while (waited < 3) {
        assertThat(System.nanoTime()).as("time").isLessThan(deadline);
        a.receive(1, 100);
        b.receive(1, 100);
        int before = farLink.sends.get();
        a.send(2, 8);
        awaitSuccesses(b, 1);
        boolean waits = farLink.sends.get() == before;
        if (waits) {
          waited++;
          awaitSuccesses(a, 1);
        }
        b.send(2, 8);
        awaitSuccesses(a, waits ? 1 : 2);
        awaitSuccesses(b, 1);
      }
    } finally {
      near.close();
      far.close();
    }
  }

  @Test
  void closingEndsTheThread() {
    Engine engine = engine(link(1));
    EngineThread thread = engine.thread();
    engine.close();
    assertThat(thread.isAlive()).isFalse();
  }
}
