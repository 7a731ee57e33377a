package dev.verbena.tck.vtools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AsyncException;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.vtools.CqPoller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Loops over completions that sleep: with a channel, without one, and woken by other events. */
final class CqPollerTest {
  private static final Duration SHORT = Duration.ofMillis(20);

  @OnEveryLink
  @Proves({"PY-076", "PY-098", "PY-099"})
  void theLimitIsExactAndTheRestStaysInTheQueue(TckLink link) {
    try (Messages bench = Messages.open(link, true);
        CqPoller poller = new CqPoller(bench.cq())) {
      bench.sendAll(5);
      assertThat(ids(poller.iterwc(3))).containsExactly(0L, 1L, 2L);
      assertThat(poller.timedOut()).isFalse();
      assertThat(ids(poller.iterwc(0))).isEmpty();
      assertThat(ids(poller.iterwc(2, Await.DEADLINE))).containsExactly(3L, 4L);
      assertThat(poller.timedOut()).isFalse();
      assertThat(ids(poller.iterwc(1, SHORT))).isEmpty();
      assertThat(poller.timedOut()).isTrue();
      assertThat(ids(poller.iterwc(0))).isEmpty();
      assertThat(poller.timedOut()).isFalse();
      Refused.of(() -> poller.iterwc(-1), Errno.EINVAL).naming("-1");
    }
  }

  @OnEveryLink
  @Proves({"PY-098", "PY-099", "PY-103"})
  void theTimeLimitEndsTheLoopAndNotEarlier(TckLink link) {
    for (boolean channel : new boolean[] {true, false}) {
      try (Messages bench = Messages.open(link, channel);
          CqPoller poller = new CqPoller(bench.cq())) {
        bench.send(7, 0);
        long start = System.nanoTime();
        assertThat(ids(poller.iterwc(SHORT))).containsExactly(7L);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SHORT.toNanos());
        assertThat(poller.timedOut()).isTrue();
        assertThat(ids(poller.iterwcUntil(5, System.nanoTime()))).isEmpty();
        assertThat(poller.timedOut()).isTrue();
        assertThatThrownBy(() -> poller.iterwc(Duration.ZERO).iterator().next())
            .isInstanceOf(NoSuchElementException.class);
      }
    }
  }

  @OnEveryLink
  @Proves("PY-100")
  void theDeadlineCanBeMovedWithinTheLoop(TckLink link) {
    try (Messages bench = Messages.open(link, true);
        CqPoller poller = new CqPoller(bench.cq())) {
      bench.sendAll(4);
      long past = System.nanoTime() - 1;
      List<Long> seen = new ArrayList<>();
      for (WorkCompletion wc : poller.iterwcUntil(10, past)) {
        assertThat(poller.wakeAt()).isEqualTo(seen.isEmpty() ? past : CqPoller.NEVER);
        seen.add(wc.wrId());
        poller.wakeAt(seen.size() < 3 ? CqPoller.NEVER : past);
      }
      assertThat(seen).containsExactly(0L, 1L, 2L);
      assertThat(poller.timedOut()).isTrue();
    }
  }

  @OnEveryLink
  @Proves("PY-101")
  void thePollerItselfCanBeLoopedOver(TckLink link) {
    try (Messages bench = Messages.open(link, true);
        CqPoller poller = new CqPoller(bench.cq())) {
      bench.sendAll(3);
      long next = 0;
      for (WorkCompletion wc : poller) {
        assertThat(wc.wrId()).isEqualTo(next++);
        if (next == 2) {
          break;
        }
      }
      assertThat(bench.cq().poll(-1)).extracting(WorkCompletion::wrId).containsExactly(2L);
    }
  }

  @OnEveryLink
  @Proves({"PY-076", "PY-097", "PY-102"})
  void aSleepingLoopIsWokenByACompletion(TckLink link) throws Exception {
    try (Messages bench = Messages.open(link, true)) {
      Background<List<Long>> loop =
          Background.call(
                  () -> {
                    try (CqPoller poller = new CqPoller(bench.cq())) {
                      return ids(poller.iterwc(2));
                    }
                  })
              .awaitBlocked();
      bench.send(1, 0);
      bench.send(2, 0);
      assertThat(loop.result()).containsExactly(1L, 2L);
      bench.pair().right().qp().destroy();
      Background.run(bench.cq()::destroy).result();
    }
  }

  @OnEveryLink
  @Proves("PY-097")
  void sleepTellsAnEventFromTheEndOfTheTime(TckLink link) {
    try (Messages bench = Messages.open(link, true);
        CqPoller poller = new CqPoller(bench.cq())) {
      assertThat(poller.sleep(System.nanoTime() + SHORT.toNanos())).isFalse();
      bench.cq().reqNotify();
      bench.send(1, 0);
      assertThat(poller.sleep(CqPoller.NEVER)).isTrue();
      assertThat(poller.sleep(System.nanoTime())).as("one event, one wake-up").isFalse();
    }
    try (Messages bench = Messages.open(link, false);
        CqPoller poller = new CqPoller(bench.cq())) {
      assertThat(poller.sleep(CqPoller.NEVER)).as("without channel it spins").isTrue();
      assertThat(poller.sleep(System.nanoTime() - 1)).as("until the time is up").isFalse();
      long until = System.nanoTime() + SHORT.toNanos();
      int naps = 0;
      while (poller.sleep(until)) {
        naps++;
      }
      assertThat(System.nanoTime() - until).as("nanoseconds late, %d naps", naps).isNotNegative();
    }
  }

  @OnEveryLink
  @Proves("PY-076")
  void onlySolicitedReceivesWakeWhoWantsOnlyThose(TckLink link) throws Exception {
    try (Messages bench = Messages.open(link, true)) {
      Background<List<Long>> loop =
          Background.call(
                  () -> {
                    try (CqPoller poller = new CqPoller(bench.cq(), true, true)) {
                      return ids(poller.iterwc(2));
                    }
                  })
              .awaitBlocked();
      bench.send(1, 0);
      loop.awaitBlocked();
      bench.send(2, SendFlags.SOLICITED);
      assertThat(loop.result()).containsExactly(1L, 2L);
    }
  }

  @OnEveryLink
  @Proves({"PY-077", "PY-107"})
  void aFailureOfAQueuePairEndsTheSleepWithAnAsyncException(TckLink link) throws Exception {
    try (QpPair pair = PairSetup.on(link).mrAccess(1).open()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      Background<Iterator<WorkCompletion>> loop =
          Background.call(
                  () -> {
                    try (CqPoller poller = new CqPoller(right.recvCq())) {
                      Iterator<WorkCompletion> steps = poller.iterwc().iterator();
                      steps.next();
                      return steps;
                    }
                  })
              .awaitBlocked();
      left.qp().postSend(SendWrs.write(1, right, 0, left.sge(0, 8)));
      left.awaitSend(1, WcStatus.REM_ACCESS_ERR);
      assertThatThrownBy(loop::result)
          .isInstanceOfSatisfying(
              AsyncException.class,
              e -> {
                assertThat(e.event().eventType()).isEqualTo(EventType.QP_ACCESS_ERR);
                assertThat(e.event().qp()).isSameAs(right.qp());
                assertThat(e)
                    .hasMessage("Asynchronous error event - QP_ACCESS_ERR for " + right.qp());
              });
      Background.run(right.qp()::destroy).result();
    }
  }

  @OnEveryLink
  @Proves("PY-077")
  void whoDoesNotWantAsynchronousEventsIsLeftAlone(TckLink link) throws InterruptedException {
    try (QpPair pair = PairSetup.on(link).mrAccess(1).open();
        CqPoller deaf = new CqPoller(pair.right().recvCq(), false, false)) {
      QpEnd left = pair.left();
      left.qp().postSend(SendWrs.write(1, pair.right(), 0, left.sge(0, 8)));
      left.awaitSend(1, WcStatus.REM_ACCESS_ERR);
      Context context = pair.right().context();
      Await.until("the event", context.asyncEventSource()::isReady);
      assertThat(ids(deaf.iterwc(SHORT))).isEmpty();
      assertThat(context.asyncEventSource().isReady()).isTrue();
      try (CqPoller spinning = new CqPoller(context.createCq(4))) {
        assertThatThrownBy(() -> ids(spinning.iterwc(Await.DEADLINE)))
            .isInstanceOf(AsyncException.class);
      }
    }
  }

  @OnEveryLink
  void anInterruptAndAClosedContextEndTheSleep(TckLink link) throws Exception {
    for (boolean channel : new boolean[] {true, false}) {
      try (Messages bench = Messages.open(link, channel);
          CqPoller poller = new CqPoller(bench.cq())) {
        Background<Boolean> interrupted =
            Background.call(
                () -> {
                  Thread.currentThread().interrupt();
                  Refused.of(() -> ids(poller.iterwc()), Errno.EINTR);
                  return Thread.interrupted();
                });
        assertThat(interrupted.result()).isTrue();
        Background<List<Long>> loop = Background.call(() -> ids(poller.iterwc()));
        if (channel) {
          loop.awaitBlocked();
        }
        bench.context().close();
        assertThatThrownBy(loop::result).isInstanceOf(ObjectClosedException.class);
      }
    }
  }

  /**
   * A sender that waits until each message is taken, and then for a varying moment. So a completion
   * comes at every point of the round of polling, arming, polling and sleeping, with nothing after
   * it. A lost wake-up leaves the loop asleep for ever.
   */
  @OnEveryLink
  @Proves("PY-102")
  void noWakeUpIsLost(TckLink link) throws Exception {
    int messages = link.isFaulty() ? 100 : 2000;
    long seed = System.nanoTime();
    Random random = new Random(seed);
    AtomicLong taken = new AtomicLong();
    try (Messages bench = Messages.open(link, true)) {
      Background<Void> loop =
          Background.run(
              () -> {
                try (CqPoller poller = new CqPoller(bench.cq())) {
                  for (WorkCompletion wc : poller.iterwc(messages)) {
                    assertThat(wc.orThrow().wrId()).isEqualTo(taken.getAndIncrement());
                  }
                }
              });
      for (int i = 0; i < messages; i++) {
        int sent = i;
        for (int spins = random.nextInt(2000); spins > 0; spins--) {
          Thread.onSpinWait();
        }
        bench.send(sent, 0);
        Await.until(
            () -> "message " + sent + " to be taken, seed " + seed, () -> taken.get() > sent);
      }
      loop.result();
    }
  }

  @OnEveryLink
  void aLoopTakesOnlyEventsOfItsQueue(TckLink link) {
    try (Messages bench = Messages.open(link, true);
        CqPoller poller = new CqPoller(bench.cq())) {
      CompletionChannel channel = bench.cq().channel();
      CompletionQueue silent = bench.context().createCq(4, channel);
      try (CqPoller other = new CqPoller(silent)) {
        bench.cq().reqNotify();
        bench.send(1, 0);
        assertThat(ids(other.iterwc(SHORT))).isEmpty();
        assertThat(other.timedOut()).isTrue();
      }
      assertThat(ids(poller.iterwc(1, Await.DEADLINE))).containsExactly(1L);
    }
  }

  private static List<Long> ids(Iterable<WorkCompletion> loop) {
    List<Long> ids = new ArrayList<>();
    for (WorkCompletion wc : loop) {
      ids.add(wc.orThrow().wrId());
    }
    return ids;
  }
}
