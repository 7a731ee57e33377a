package dev.verbena.tck.posting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendWr;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Several threads that post on one queue pair. */
final class WrThreadsTest {
  private static final int BATCH = 3;

  @OnEveryLinkAndApi
  @Proves({"WR-125", "S1.4.4", "S2.22", "S1.5.2"})
  void theRequestsOfOneBatchStayTogether(TckLink link, PostingApi api) throws InterruptedException {
    int threads = 2;
    int batches = link.isFaulty() ? 300 : 3000;
    try (QpPair pair = PairSetup.on(link).cap(new QpCap(48, 1, 1, 1, 0)).open()) {
      Semaphore room = new Semaphore(pair.left().qp().queryInit().maxSendWr() / BATCH);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      List<Thread> posters = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int first = thread * batches;
        posters.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        for (int i = first; i < first + batches; i++) {
                          room.acquire();
                          api.post(pair.left().qp(), batch(pair, i));
                        }
                      } catch (RuntimeException | AssertionError | InterruptedException thrown) {
                        failure.set(thrown);
                      }
                    }));
      }
      try {
        int[] next = {0, batches};
        for (int batch = 0; batch < threads * batches; batch++) {
          long head = Await.completion(pair.left().sendCq(), "a batch").wrId();
          int id = (int) (head / BATCH);
          assertThat(id).as("batches of one thread in order").isEqualTo(next[id / batches]++);
          assertThat(head % BATCH).isZero();
          for (int i = 1; i < BATCH; i++) {
            pair.left().sent(head + i);
          }
          room.release();
        }
      } finally {
        posters.forEach(Thread::interrupt);
        for (Thread poster : posters) {
          poster.join();
        }
      }
      assertThat(failure.get()).isNull();
      pair.left().assertNothingSent();
    }
  }

  @OnEveryLinkAndApi
  @Proves({"WR-125", "WR-022", "S2.20"})
  void otherThreadsWaitForTheEndOfTheBatch(TckLink link, PostingApi api)
      throws InterruptedException {
    try (QpPair pair = QpPair.open(link)) {
      QueuePairEx qp = pair.left().qp();
      qp.wrStart();
      PostingApi.build(qp, SendWrs.write(1, pair.right(), 0));
      List<Thread> others = new ArrayList<>();
      for (int id = 3; id <= 4; id++) {
        SendWr wr = SendWrs.write(id, pair.right(), 0);
        CountDownLatch posting = new CountDownLatch(1);
        Thread other =
            Thread.ofPlatform()
                .start(
                    () -> {
                      posting.countDown();
                      api.post(qp, wr);
                    });
        posting.await();
        Await.until(
            "the other thread to wait, it is " + other.getState(),
            () ->
                other.getState() == Thread.State.BLOCKED
                    || other.getState() == Thread.State.WAITING
                    || other.getState() == Thread.State.TIMED_WAITING);
        others.add(other);
      }
      PostingApi.build(qp, SendWrs.write(2, pair.right(), 0));
      qp.wrComplete();
      for (Thread other : others) {
        other.join();
      }
      pair.left().sent(1);
      pair.left().sent(2);
      long third = Await.completion(pair.left().sendCq(), "a request of another thread").wrId();
      assertThat(third).isIn(3L, 4L);
      pair.left().sent(7 - third);
    }
  }

  @OnEveryLinkAndApi
  void withAThreadDomainOneThreadAfterTheOtherMayPost(TckLink link, PostingApi api)
      throws InterruptedException {
    try (QpPair pair = PairSetup.on(link).threadDomain().open()) {
      for (int i = 0; i < 200; i++) {
        pair.left().setLong(0, i);
        api.post(pair.left().qp(), SendWrs.write(i, pair.right(), 0, pair.left().sge(0, 8)));
        pair.left().sent(i);
        assertThat(pair.right().getLong(0)).isEqualTo(i);
      }
      Thread successor =
          Thread.ofPlatform()
              .start(() -> api.post(pair.left().qp(), SendWrs.write(200, pair.right(), 0)));
      successor.join();
      pair.left().sent(200);
    }
  }

  @OnEveryLink
  @Proves({"WR-126", "S2.20"})
  void withAThreadDomainAnotherThreadDoesNotWait(TckLink link) throws InterruptedException {
    try (QpPair pair = PairSetup.on(link).threadDomain().open()) {
      QueuePairEx qp = pair.left().qp();
      Thread.ofPlatform().start(qp::wrStart).join();
      // The thread that started is gone; with a lock no thread could ever enter again.
      CountDownLatch returned = new CountDownLatch(1);
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try {
                  qp.wrStart();
                } catch (IllegalStateException nested) {
                  // An error about the open batch is fine, too: the thread did not wait.
                }
                returned.countDown();
              });
      assertThat(returned.await(Await.DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Requests with consecutive identifiers, the first a multiple of BATCH. */
  private static SendWr batch(QpPair pair, int number) {
    SendWr[] all = new SendWr[BATCH];
    Arrays.setAll(all, i -> SendWrs.write((long) number * BATCH + i, pair.right(), 0));
    return SendWrs.list(all);
  }
}
