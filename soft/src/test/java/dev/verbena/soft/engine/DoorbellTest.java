package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.engine.qp.IcrcTrust;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.transport.Clock;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Doorbells that find a guard taken; without an engine thread, so that a lost one shows. */
@Timeout(60)
class DoorbellTest {
  private static final int ROUNDS = 200;
  private static final int POSTS = 100;
  private static final int BYTES = 20_000;

  /**
   * Two threads post to one queue pair at the same time. Then only the ready list is executed, so a
   * lost doorbell leaves a request without completion.
   */
  @ParameterizedTest(name = "loopback {0}")
  @ValueSource(booleans = {true, false})
  void noneIsLostBetweenTwoPosters(boolean loopback) throws InterruptedException {
    try (Lab lab = new Lab(() -> 0, false, loopback)) {
      Peer a = new Peer(lab.engine(), BYTES);
      Peer b = new Peer(lab.engine(), BYTES);
      Peer.connect(a, b);
      for (int round = 0; round < ROUNDS; round++) {
        CountDownLatch started = new CountDownLatch(1);
        CompletableFuture<Void> other =
            CompletableFuture.runAsync(
                () -> {
                  started.countDown();
                  postMany(a, b);
                });
        started.await();
        postMany(a, b);
        other.join();
        settle(a.engine, b.engine);
        for (int i = 0; i < 2 * POSTS; i++) {
          assertThat(a.pollOnly()).as("completion %d of round %d", i, round).isNotNull();
        }
        assertThat(a.pollOnly()).isNull();
      }
    }
  }

  private static void postMany(Peer a, Peer b) {
    for (int i = 0; i < POSTS; i++) {
      a.write(1, b, BYTES);
    }
  }

  /** Executes only what is on the lists and in the links. */
  private static void settle(Engine... engines) {
    boolean again = true;
    while (again) {
      again = false;
      for (Engine engine : engines) {
        again |= engine.step(0);
      }
    }
  }

  @Test
  void aDoorbellDuringAChangeIsServedWhenTheChangeIsOver() throws InterruptedException {
    try (Lab lab = new Lab(() -> 0, false, true)) {
      Peer a = new Peer(lab.engine(), 1_000);
      Peer b = new Peer(lab.engine(), 1_000);
      Peer.connect(a, b);
      Thread[] poster = new Thread[1];
      a.qp.sends().claim(0);
      CountDownLatch rung = new CountDownLatch(1);
      // The poster publishes before the change, and rings while it is under way.
      a.qp.postGuard().enter();
      a.qp.sends().claim(0).begin(5, SendOperation.of(WrOpcode.RDMA_WRITE), 0, true);
      a.qp.sends().publish(1);
      a.qp.postGuard().exit();
      a.qp.change(
          () -> {
            poster[0] =
                Thread.ofPlatform()
                    .start(
                        () -> {
                          a.qp.machines.sendDoorbell();
                          rung.countDown();
                        });
            awaitUninterrupted(rung);
            assertThat(a.pollOnly()).isNull();
          });
      poster[0].join();
      assertThat(a.pollOnly().wrId()).isEqualTo(5);
    }
  }

  /** Otherwise the peer would see the message before the ACK of its own. */
  @ParameterizedTest(name = "the requester is to be run anyway: {0}")
  @ValueSource(booleans = {false, true})
  void whatIsSentBecauseOfAMessageLeavesBehindItsAcknowledgement(boolean sends)
      throws InterruptedException {
    try (Lab lab = new Lab(() -> 0, false, false)) {
      Peer a = new Peer(lab.engine(), 1_000);
      Peer b = new Peer(lab.engine(), 1_000);
      Peer.connect(a, b);
      a.receive(7, 10);
      b.receive(1, 10);
      Thread[] poster = new Thread[1];
      b.onCompletion =
          () -> {
            b.onCompletion = () -> {};
            poster[0] = Thread.ofPlatform().start(() -> b.send(2, 10));
            while (poster[0].getState() != Thread.State.WAITING && poster[0].isAlive()) {
              Thread.onSpinWait();
            }
          };
      b.ring.arm(false);
      a.send(6, 10);
      if (sends) {
        b.write(3, a, 10);
        a.engine.step(0);
      }
      b.engine.step(0);
      poster[0].join();
      settle(a.engine, b.engine);
      assertThat(a.pollOnly().wrId()).isEqualTo(6);
      assertThat(a.pollOnly().wrId()).isEqualTo(7);
    }
  }

  /** Time stands still, so a peer that is not told waits for ever. */
  @Test
  @Proves("S12.5.11")
  void eachReceiveIsAnnouncedToAPeerThatWaitsForOne() {
    try (Lab lab = new Lab(() -> 0, false, false)) {
      Peer a = new Peer(lab.engine(), 1_000);
      Peer b = new Peer(lab.engine(), 1_000);
      Peer.connect(a, b);
      // By then it is clear that the peer is one that keeps to a limit.
      for (int i = 0; i < IcrcTrust.RUN + 2; i++) {
        b.receive(0, 10);
      }
      for (int i = 0; i < IcrcTrust.RUN; i++) {
        a.send(0, 10);
        settle(a.engine, b.engine);
        assertThat(a.pollOnly()).isNotNull();
        assertThat(b.pollOnly()).isNotNull();
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < POSTS; i++) {
          a.send(i, 10);
        }
        CompletableFuture<Void> poster =
            CompletableFuture.runAsync(
                () -> {
                  for (int i = 0; i < POSTS; i++) {
                    b.receive(i, 10);
                  }
                });
        while (!poster.isDone()) {
          settle(a.engine, b.engine);
        }
        poster.join();
        settle(a.engine, b.engine);
        for (int i = 0; i < POSTS; i++) {
          assertThat(a.pollOnly()).as("send %d of round %d", i, round).isNotNull();
          assertThat(b.pollOnly()).as("receive %d of round %d", i, round).isNotNull();
        }
      }
      assertThat(b.qp.tally.get(Counter.RNR_NAKS_SENT)).isZero();
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aChangeThatIsRefusedLeavesNoDoorbellBehind() {
    try (Lab lab = new Lab(() -> 0, false, true)) {
      Peer a = new Peer(lab.engine(), 1_000);
      Peer b = new Peer(lab.engine(), 1_000);
      Peer.connect(a, b);
      a.qp.sends().claim(0).begin(5, SendOperation.of(WrOpcode.RDMA_WRITE), 0, true);
      a.qp.sends().publish(1);
      assertThat(
              catchThrowable(
                  () ->
                      a.qp.change(
                          () -> {
                            throw new IllegalArgumentException("refused");
                          })))
          .hasMessage("refused");
      assertThat(a.pollOnly().wrId()).isEqualTo(5);
    }
  }

  /** Each receive is flushed once, by the thread that fails the queue pair or by its poster. */
  @Test
  void everyReceiveThatIsPostedWhileTheQueuePairFailsIsFlushed() throws InterruptedException {
    try (Lab lab = new Lab(() -> 0, false, true)) {
      for (int round = 0; round < 300; round++) {
        Peer a = new Peer(lab.engine(), 1_000);
        CountDownLatch start = new CountDownLatch(1);
        a.connectTo(a, 1, 1);
        Thread failing =
            Thread.ofPlatform()
                .start(
                    () -> {
                      awaitUninterrupted(start);
                      a.qp.change(
                          () -> {
                            a.qp.status().state(QpState.ERR);
                            a.qp.flush();
                          });
                    });
        start.countDown();
        for (int i = 0; i < 50; i++) {
          a.receive(i, 10);
        }
        failing.join();
        settle(a.engine);
        for (int i = 0; i < 50; i++) {
          WorkCompletion flushed = a.pollOnly();
          assertThat(flushed).as("receive %d of round %d", i, round).isNotNull();
          assertThat(flushed.wrId()).isEqualTo(i);
          assertThat(flushed.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
        }
        assertThat(a.pollOnly()).isNull();
        a.engine.detach(a.qp);
        assertThat(a.engine.nextDeadline()).isEqualTo(Clock.NEVER);
      }
    }
  }
}
