package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.transport.Clock;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Doorbells that meet a guard that is taken; no thread of the engine hides a lost one. */
@Timeout(60)
class DoorbellTest {
  private static final int ROUNDS = 10_000;

  /**
   * Two threads post to one queue pair at the same moment. Then nobody does anything but what is on
   * the ready list: a doorbell that was lost leaves a request without completion.
   */
  @ParameterizedTest(name = "loopback {0}")
  @ValueSource(booleans = {true, false})
  void noneIsLostBetweenTwoPosters(boolean loopback) throws Exception {
    try (Lab lab = new Lab(() -> 0, false, loopback)) {
      Peer a = new Peer(lab.engine(), 1_000);
      Peer b = new Peer(lab.engine(), 1_000);
      Peer.connect(a, b);
      CyclicBarrier barrier = new CyclicBarrier(2);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < ROUNDS && failure.get() == null; i++) {
                      postWith(barrier, a, b, failure);
                      await(barrier, failure);
                    }
                  });
      for (int i = 0; i < ROUNDS && failure.get() == null; i++) {
        postWith(barrier, a, b, failure);
        // The other one has posted, and waits for the next round.
        while (barrier.getNumberWaiting() == 0 && failure.get() == null) {
          Thread.onSpinWait();
        }
        settle(a.engine, b.engine);
        assertThat(a.pollOnly()).as("first completion of round %d", i).isNotNull();
        assertThat(a.pollOnly()).as("second completion of round %d", i).isNotNull();
        assertThat(a.pollOnly()).isNull();
        await(barrier, failure);
      }
      other.join();
      assertThat(failure).hasNullValue();
    }
  }

  private static void postWith(
      CyclicBarrier barrier, Peer a, Peer b, AtomicReference<Throwable> failure) {
    await(barrier, failure);
    try {
      a.write(1, b, 100);
    } catch (RuntimeException | Error e) {
      failure.set(e);
      barrier.reset();
    }
  }

  private static void await(CyclicBarrier barrier, AtomicReference<Throwable> failure) {
    try {
      barrier.await();
    } catch (BrokenBarrierException | InterruptedException e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Runs what is on the lists and in the links, and no more. */
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
      a.qp.sends().claim(0).begin(5, dev.verbena.verbs.WrOpcode.RDMA_WRITE, 0, true);
      a.qp.sends().publish(1);
      a.qp.postGuard().exit();
      a.qp.change(
          () -> {
            poster[0] =
                Thread.ofPlatform()
                    .start(
                        () -> {
                          a.qp.sendDoorbell();
                          rung.countDown();
                        });
            awaitUninterrupted(rung);
            assertThat(a.pollOnly()).isNull();
          });
      poster[0].join();
      assertThat(a.pollOnly().wrId()).isEqualTo(5);
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
      a.qp.sends().claim(0).begin(5, dev.verbena.verbs.WrOpcode.RDMA_WRITE, 0, true);
      a.qp.sends().publish(1);
      assertThat(
              org.assertj.core.api.Assertions.catchThrowable(
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
