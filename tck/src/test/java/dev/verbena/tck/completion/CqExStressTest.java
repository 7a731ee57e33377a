package dev.verbena.tck.completion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcExFlags;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkRequestException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that post, poll, read with a cursor and resize, all on one queue: every completion is
 * seen by one of them, whole, and those of a queue pair in order.
 */
final class CqExStressTest {
  private static final int POSTERS = 3;
  private static final long PAUSE_NANOS = 1_000;
  private static final int DEPTH = 16;

  /** The most that a cursor visits in a row. */
  private static final int VISITS = 8;

  private static final int CQE = POSTERS * DEPTH + 2 * VISITS;

  @OnEveryLink
  @Proves({"S6.13", "S6.14", "S6.15", "S6.4"})
  void everyCompletionIsSeenOnceAndWhole(TckLink link) throws Exception {
    int each = link.isFaulty() ? 200 : 1500;
    PairSetup setup = PairSetup.on(link).cap(new QpCap(DEPTH, 1, 1, 1, 0));
    try (QpPair base = setup.openUnconnected()) {
      CqInitAttrEx attr =
          new CqInitAttrEx(CQE).wcFlags(WcExFlags.STANDARD_FLAGS, WcExFlags.COMPLETION_TIMESTAMP);
      CompletionQueueEx cq = base.left().context().createCqEx(attr);
      List<QpPair> pairs = new ArrayList<>();
      for (int i = 0; i < POSTERS; i++) {
        QpEnd left = setup.end(base.left().pd(), cq, cq);
        QpEnd right = setup.end(base.right().context(), base.right().pd());
        setup.connect(new QpPair(left, right));
        pairs.add(new QpPair(left, right));
      }
      AtomicInteger left = new AtomicInteger(POSTERS * each);
      AtomicBoolean done = new AtomicBoolean();
      List<Background<?>> others = new ArrayList<>();
      for (QpPair pair : pairs) {
        others.add(Background.run(() -> post(pair, each)));
      }
      others.add(Background.run(() -> resize(cq, done)));
      List<Background<Map<Integer, List<Long>>>> readers =
          List.of(
              Background.call(() -> read(cq, left)),
              Background.call(() -> read(cq, left)),
              Background.call(() -> poll(cq, left)));
      List<Map<Integer, List<Long>>> seen = new ArrayList<>();
      for (Background<Map<Integer, List<Long>>> reader : readers) {
        seen.add(reader.result());
      }
      done.set(true);
      for (Background<?> other : others) {
        other.result();
      }
      pairs.forEach(pair -> assertComplete(seen, pair.left().qp().qpNum(), each));
      Events.assertNone(base.left().context());
    }
  }

  private static void post(QpPair pair, int count) {
    QueuePairEx qp = pair.left().qp();
    for (int id = 0; id < count; id++) {
      SendWr wr = SendWrs.write(id, pair.right(), 0);
      Await.until("room in the send queue", () -> isPosted(qp, wr));
    }
  }

  private static boolean isPosted(QueuePairEx qp, SendWr wr) {
    try {
      qp.postSend(wr);
      return true;
    } catch (WorkRequestException full) {
      return false;
    }
  }

  private static void resize(CompletionQueueEx cq, AtomicBoolean done) {
    for (int i = 0; !done.get(); i++) {
      cq.resize(CQE + i % 300);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static Map<Integer, List<Long>> read(CompletionQueueEx cq, AtomicInteger left) {
    Map<Integer, List<Long>> seen = new HashMap<>();
    long lastStamp = 0;
    long deadline = System.nanoTime() + 4 * Await.DEADLINE.toNanos();
    while (left.get() > 0 && System.nanoTime() < deadline) {
      if (!cq.startPoll()) {
        LockSupport.parkNanos(PAUSE_NANOS);
        continue;
      }
      int visited = 0;
      do {
        assertThat(cq.status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(cq.readCompletionTs()).isGreaterThanOrEqualTo(lastStamp);
        lastStamp = cq.readCompletionTs();
        note(seen, cq.readQpNum(), cq.wrId());
        visited++;
      } while (visited < VISITS && cq.nextPoll());
      cq.endPoll();
      left.addAndGet(-visited);
    }
    return seen;
  }

  private static Map<Integer, List<Long>> poll(CompletionQueueEx cq, AtomicInteger left) {
    Map<Integer, List<Long>> seen = new HashMap<>();
    WorkCompletion[] wcs = {new WorkCompletion(), new WorkCompletion(), new WorkCompletion()};
    long deadline = System.nanoTime() + 4 * Await.DEADLINE.toNanos();
    while (left.get() > 0 && System.nanoTime() < deadline) {
      int taken = cq.poll(wcs);
      for (int i = 0; i < taken; i++) {
        assertThat(wcs[i].isSuccess()).as("%s", wcs[i]).isTrue();
        note(seen, wcs[i].qpNum(), wcs[i].wrId());
      }
      left.addAndGet(-taken);
      if (taken == 0) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    return seen;
  }

  private static void note(Map<Integer, List<Long>> seen, int qpNum, long wrId) {
    List<Long> ids = seen.computeIfAbsent(qpNum, number -> new ArrayList<>());
    assertThat(ids.isEmpty() || ids.getLast() < wrId)
        .as("completions of one queue pair in order")
        .isTrue();
    ids.add(wrId);
  }

  private static void assertComplete(List<Map<Integer, List<Long>>> seen, int qpNum, int count) {
    boolean[] found = new boolean[count];
    for (Map<Integer, List<Long>> one : seen) {
      for (long id : one.getOrDefault(qpNum, List.of())) {
        assertThat(found[(int) id]).as("completion %d a second time", id).isFalse();
        found[(int) id] = true;
      }
    }
    assertThat(found).doesNotContain(false);
  }
}
