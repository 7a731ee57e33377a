package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.link.Export;
import dev.verbena.soft.link.ExportableMemory;
import dev.verbena.soft.link.Exports;
import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.ImportedQueuePair;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Requests;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.memory.Window;
import dev.verbena.soft.queue.RecvWqe;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.queue.SharedReceives;
import dev.verbena.soft.queue.SharedRecvQueue;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class QuiesceTest {
  @Test
  void waitsUntilNobodyIsInsideAGuardOfTheDomain() throws InterruptedException {
    try (Lab lab = new Lab(() -> 0, false, true)) {
      Peer a = new Peer(lab.engine(), 1_000);
      CountDownLatch leave = new CountDownLatch(1);
      CompletableFuture<Void> change = changeUntil(leave, a);
      a.engine.quiesce(new Domain());
      Thread quiescing = Thread.ofPlatform().start(() -> a.engine.quiesce(a.domain));
      awaitWaiting(quiescing);
      leave.countDown();
      change.join();
      quiescing.join();
    }
  }

  /** Starts a change of the queue pair that lasts until then, and returns when it has begun. */
  private static CompletableFuture<Void> changeUntil(CountDownLatch leave, Peer peer)
      throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    CompletableFuture<Void> change =
        CompletableFuture.runAsync(
            () ->
                peer.qp.change(
                    () -> {
                      inside.countDown();
                      awaitLatch(leave);
                    }));
    inside.await();
    return change;
  }

  @Test
  void waitsForAThreadThatPlacesWhatAPeerHasSent() throws InterruptedException {
    try (Lab lab = new Lab(() -> 0, false, true)) {
      Peer a = new Peer(lab.engine(), 1_000);
      Peer b = new Peer(lab.engine(), 1_000);
      Peer.connect(a, b);
      b.receive(1, 100);
      assertThat(a.domain).as("so that only b's guards count").isNotEqualTo(b.domain);
      expectToWaitForASendOf(a, b, b.domain);
    }
  }

  @Test
  void waitsForAThreadThatPlacesItInADomainThatOnlyTheSharedReceiveQueueHas()
      throws InterruptedException {
    try (Lab lab = new Lab(() -> 0, false, true)) {
      Peer a = new Peer(lab.engine(), 1_000);
      Engine engine = lab.engine();
      Domain ofQueue = new Domain();
      SharedRecvQueue queue = new SharedRecvQueue(1, 1, engine.newGuard(Rank.RQ), () -> {});
      Peer b =
          new Peer(
              engine,
              1_000,
              (ring, ofQueuePair) -> new SharedReceives(queue, ring, ofQueue, ofQueuePair));
      Peer.connect(a, b);
      MemorySegment memory = Arena.ofAuto().allocate(100);
      Region region =
          Objects.requireNonNull(
              engine.keys().register(memory, memory.address(), Access.LOCAL_WRITE, ofQueue));
      queue.enter();
      RecvWqe receive = queue.claim(0);
      receive.begin(1);
      receive.data().add(region.lkey(), memory.address(), 100);
      queue.publish(1);
      queue.exit();
      expectToWaitForASendOf(a, b, ofQueue);
    }
  }

  /** The end of what {@code domain} registers must wait while b places what a sends. */
  private static void expectToWaitForASendOf(Peer a, Peer b, Domain domain)
      throws InterruptedException {
    expectToWaitForASendOf(a, b, () -> b.engine.quiesce(domain));
  }

  private static void expectToWaitForASendOf(Peer a, Peer b, Runnable end)
      throws InterruptedException {
    b.ring.arm(false);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    b.onCompletion =
        () -> {
          inside.countDown();
          awaitLatch(leave);
        };
    CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> a.send(1, 100));
    inside.await();
    Thread quiescing = Thread.ofPlatform().start(end);
    try {
      awaitWaiting(quiescing);
    } finally {
      leave.countDown();
    }
    sender.join();
    quiescing.join();
  }

  /** Unsignaled, so that the thread does not wait for room for a completion. */
  @ParameterizedTest
  @ValueSource(strings = {"LOCAL_INV", "BIND_MW"})
  @Proves("S5.3.9")
  void whatWasBoundEndsOnlyWhenNoThreadPlacesWhatAPeerHasSent(WrOpcode ending)
      throws InterruptedException {
    try (Lab lab = new Lab(() -> 0, false, true)) {
      Peer a = new Peer(lab.engine(), 1_000);
      Peer b = new Peer(lab.engine(), 1_000);
      Peer.connect(a, b);
      int rights = Access.LOCAL_WRITE | Access.MW_BIND;
      long start = b.memory.address();
      Region region =
          Objects.requireNonNull(
              b.engine.keys().register(b.memory, start, rights, b.domain), "no key is free");
      boolean type2 = ending == WrOpcode.LOCAL_INV;
      Window window =
          Objects.requireNonNull(
              b.engine.windows().allocate(type2, b.domain, "window"), "no key is free");
      Consumer<SendWqe> bind =
          wqe -> wqe.binding().set(window, 7, region.lkey(), start, 64, Access.REMOTE_WRITE);
      b.post(1, WrOpcode.BIND_MW, true, bind);
      b.awaitSuccess(1);
      b.receive(2, 100);
      Consumer<SendWqe> again = type2 ? wqe -> wqe.immOrKey(window.key(7)) : bind;
      expectToWaitForASendOf(a, b, () -> b.post(3, ending, false, again));
    }
  }

  /** A link that exports queue pairs, and counts who waits for one. */
  private static final class ExportingLink extends ForwardingLink implements Exports, Export {
    final AtomicInteger waits = new AtomicInteger();

    ExportingLink(Link inner) {
      super(inner);
    }

    @Override
    public Exports exports() {
      return this;
    }

    @Override
    public @Nullable ExportableMemory allocate(Arena arena, long bytes) {
      return null;
    }

    @Override
    public Export queuePair(Requests requests, int access, long domain) {
      return this;
    }

    @Override
    public @Nullable ImportedQueuePair find(Requests requests) {
      return null;
    }

    @Override
    public void withdraw() {}

    @Override
    public void quiesce() {
      waits.incrementAndGet();
    }
  }

  /** Only regions are exported, so nothing else waits for a process that may stand still. */
  @Test
  void onlyTheEndOfAnExportedRegionWaitsForOtherProcesses() {
    AtomicReference<ExportingLink> opened = new AtomicReference<>();
    try (Lab lab = new Lab(() -> 0, false, false)) {
      Engine engine =
          lab.farEngine(
              (link, counters) -> {
                opened.set(new ExportingLink(link));
                return opened.get();
              });
      Peer a = new Peer(engine, 1_000);
      Peer.connect(a, a);
      AtomicInteger waits = opened.get().waits;
      waits.set(0);
      Window window =
          Objects.requireNonNull(
              engine.windows().allocate(true, a.domain, "window"), "no key is free");
      int rights = Access.LOCAL_WRITE | Access.MW_BIND;
      Region region =
          Objects.requireNonNull(
              engine.keys().register(a.memory, a.memory.address(), rights, a.domain));
      a.post(
          1,
          WrOpcode.BIND_MW,
          true,
          wqe ->
              wqe.binding().set(window, 7, region.lkey(), region.base(), 64, Access.REMOTE_WRITE));
      a.awaitSuccess(1);
      a.post(2, WrOpcode.LOCAL_INV, true, wqe -> wqe.immOrKey(window.key(7)));
      a.awaitSuccess(2);
      engine.quiesceAnswers(a.domain);
      engine.quiesce(a.domain);
      engine.quiesceExports(new Domain());
      assertThat(waits).hasValue(0);
      engine.quiesceExports(a.domain);
      assertThat(waits).hasValue(1);
    }
  }

  /** Any XRC target of the domain may be using the window. */
  @Test
  @Proves("S5.3.9")
  void whatAnInitiatorOfXrcHasBoundEndsOnlyWhenNoThreadOfTheDomainPlacesAnything()
      throws InterruptedException {
    try (Lab lab = new Lab(() -> 0, false, true)) {
      Peer a = new Peer(lab.engine(), 1_000);
      Peer b = new Peer(lab.engine(), 1_000);
      Peer.connect(a, b);
      Peer initiator = Peer.initiator(b, 1_000);
      initiator.connectTo(a, 300, 400);
      int rights = Access.LOCAL_WRITE | Access.MW_BIND;
      long start = initiator.memory.address();
      Region region =
          Objects.requireNonNull(
              b.engine.keys().register(initiator.memory, start, rights, b.domain),
              "no key is free");
      Window window =
          Objects.requireNonNull(
              b.engine.windows().allocate(/* type2= */ true, b.domain, "window"), "no key is free");
      initiator.post(
          1,
          WrOpcode.BIND_MW,
          true,
          wqe -> wqe.binding().set(window, 7, region.lkey(), start, 64, Access.REMOTE_WRITE));
      initiator.awaitSuccess(1);
      b.receive(2, 100);
      expectToWaitForASendOf(
          a,
          b,
          () -> initiator.post(3, WrOpcode.LOCAL_INV, false, wqe -> wqe.immOrKey(window.key(7))));
    }
  }

  @Test
  void waitsForAQueuePairThatIsBeingDestroyed() throws InterruptedException {
    try (Lab lab = new Lab(() -> 0, false, true)) {
      Peer a = new Peer(lab.engine(), 1_000);
      CountDownLatch leave = new CountDownLatch(1);
      CompletableFuture<Void> change = changeUntil(leave, a);
      Thread destroyer = Thread.ofPlatform().start(() -> a.engine.detach(a.qp));
      awaitWaiting(destroyer);
      Thread quiescing = Thread.ofPlatform().start(() -> a.engine.quiesce(a.domain));
      awaitWaiting(quiescing);
      leave.countDown();
      change.join();
      destroyer.join();
      quiescing.join();
    }
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      assertThat(thread.isAlive()).as("%s waits for the guard", thread).isTrue();
      Thread.onSpinWait();
    }
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void worksForAThreadThatIsPosting() {
    try (Lab lab = new Lab(() -> 0, false, true)) {
      Peer a = new Peer(lab.engine(), 1_000);
      a.qp.postGuard().enter();
      a.engine.quiesce(a.domain);
      assertThat(a.qp.postGuard().isHeldByCurrentThread()).isTrue();
      a.qp.postGuard().exit();
    }
  }
}
