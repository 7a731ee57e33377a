package dev.verbena.tck.receiving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that post to one shared queue while several queue pairs take from it. */
final class SrqStressTest {
  private static final int PAIRS = 3;
  private static final int POSTERS = 2;
  private static final int SLOTS = 32;
  private static final int SLOT_BYTES = 64;

  @OnEveryLink
  @Proves({"S3.4.4", "S3.4.2"})
  void everyMessageGetsAReceiveOfItsOwn(TckLink link) throws Exception {
    int messages = link.isFaulty() ? 300 : 2000;
    try (SharedPairs shared = SharedPairs.open(PairSetup.on(link).minRnrTimer(1), PAIRS, SLOTS)) {
      ConcurrentLinkedQueue<Integer> free = new ConcurrentLinkedQueue<>();
      for (int slot = 0; slot < SLOTS; slot++) {
        free.add(slot);
      }
      AtomicInteger toPost = new AtomicInteger(PAIRS * messages);
      List<Background<Void>> threads = new ArrayList<>();
      for (int i = 0; i < POSTERS; i++) {
        threads.add(Background.run(() -> post(shared, free, toPost)));
      }
      for (int i = 0; i < PAIRS; i++) {
        QpEnd left = shared.left(i);
        threads.add(Background.run(() -> send(left, messages)));
      }
      receive(shared, free, messages);
      for (Background<Void> thread : threads) {
        thread.result();
      }
      for (QpPair pair : shared.pairs()) {
        pair.right().assertNothingReceived();
        pair.left().assertNothingSent();
      }
    }
  }

  /** Posts the free slots, one or two at a time, until all threads together have posted enough. */
  private static void post(
      SharedPairs shared, ConcurrentLinkedQueue<Integer> free, AtomicInteger toPost) {
    while (toPost.getAndDecrement() > 0) {
      Integer slot = await(free::poll);
      RecvWr wr =
          new RecvWr().wrId(slot).sgList(shared.right(0).sge((long) slot * SLOT_BYTES, SLOT_BYTES));
      shared.srq().postRecv(wr);
    }
  }

  private static void send(QpEnd left, int messages) {
    for (int i = 0; i < messages; i++) {
      left.setLong(8L * (i % 16), i);
      left.qp().postSend(SendWrs.send(i, left.sge(8L * (i % 16), 8)));
      if (i >= 15) {
        left.sent(i - 15);
      }
    }
    for (int i = messages - 15; i < messages; i++) {
      left.sent(i);
    }
  }

  /** Each queue pair gets the messages of its peer in order, in slots that no other has. */
  private static void receive(
      SharedPairs shared, ConcurrentLinkedQueue<Integer> free, int messages) {
    int[] next = new int[PAIRS];
    BitSet complete = new BitSet();
    WorkCompletion wc = new WorkCompletion();
    while (complete.cardinality() < PAIRS) {
      int[] before = next.clone();
      Await.until(
          () -> "a message behind " + java.util.Arrays.toString(before),
          () -> {
            for (int i = 0; i < PAIRS; i++) {
              QpEnd right = shared.right(i);
              if (right.recvCq().poll(wc)) {
                assertThat(wc.isSuccess()).as("%s", wc).isTrue();
                assertThat(wc.qpNum()).isEqualTo(right.qp().qpNum());
                long content = shared.right(0).getLong(wc.wrId() * SLOT_BYTES);
                assertThat(content).as("message in slot %d", wc.wrId()).isEqualTo(next[i]++);
                free.add((int) wc.wrId());
                complete.set(i, next[i] == messages);
                return true;
              }
            }
            return false;
          });
    }
  }

  private static <T> T await(Callable<T> source) {
    List<T> found = new ArrayList<>();
    Await.until(
        "a free slot",
        () -> {
          try {
            T item = source.call();
            if (item != null) {
              found.add(item);
            }
            return item != null;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    return found.getFirst();
  }
}
