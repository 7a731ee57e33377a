package dev.verbena.tck.vtools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.vtools.Completions;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Waiting for completions in one line, where an event can end the sleep and where none can. That no
 * wake-up is lost shows {@link CqPollerTest}, whose loop is the same.
 */
final class CompletionsTest {
  private static final Duration SHORT = Duration.ofMillis(20);

  @OnEveryLink
  void whatCompletesIsReturnedInOrder(TckLink link) {
    for (boolean channel : new boolean[] {true, false}) {
      try (Messages messages = Messages.open(link, channel)) {
        messages.sendAll(5);
        WorkCompletion wc = new WorkCompletion();
        Completions.await(messages.cq(), wc, Await.DEADLINE);
        assertThat(wc.wrId()).isEqualTo(0);
        assertThat(Completions.await(messages.cq(), Await.DEADLINE).wrId()).isEqualTo(1);
        assertThat(Completions.awaitAll(messages.cq(), 0, Duration.ZERO)).isEmpty();
        assertThat(Completions.awaitAll(messages.cq(), 3, Await.DEADLINE))
            .extracting(WorkCompletion::wrId)
            .containsExactly(2L, 3L, 4L);
        Refused.of(() -> Completions.awaitAll(messages.cq(), -1, SHORT), Errno.EINVAL).naming("-1");
      }
    }
  }

  @OnEveryLink
  void whoWaitsInVainIsToldWhenTheTimeIsUpAndNotEarlier(TckLink link) {
    for (boolean channel : new boolean[] {true, false}) {
      try (Messages messages = Messages.open(link, channel)) {
        CompletionQueue cq = messages.cq();
        String device = messages.context().device().name();
        messages.sendAll(2);
        long start = System.nanoTime();
        Refused.of(() -> Completions.awaitAll(cq, 3, SHORT), Errno.ETIMEDOUT)
            .from("awaitAll")
            .naming(
                "2 of 3 completions within 0.02s at " + cq + " of " + device, "dump()", "SIGNALED");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SHORT.toNanos());
        Refused.of(() -> Completions.await(cq, SHORT), Errno.ETIMEDOUT)
            .from("await")
            .naming("no completion within 0.02s");
      }
    }
  }

  /** A thread that spins uses all of the time, unless the computer has none for it. */
  @OnEveryLink
  void whoWaitsForLongLeavesTheProcessorToOthers(TckLink link) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Duration wait = Duration.ofMillis(100);
    for (boolean channel : new boolean[] {true, false}) {
      try (Messages messages = Messages.open(link, channel)) {
        long before = threads.getCurrentThreadCpuTime();
        Refused.of(() -> Completions.await(messages.cq(), wait), Errno.ETIMEDOUT);
        assertThat(threads.getCurrentThreadCpuTime() - before).isLessThan(wait.toNanos() / 2);
      }
    }
  }

  @OnEveryLink
  void aTimeThatIsOverStillGivesWhatWaits(TckLink link) {
    try (Messages messages = Messages.open(link, true)) {
      CompletionQueue cq = messages.cq();
      messages.sendAll(1);
      Await.until("the completion", () -> isThere(cq));
      Refused.of(() -> Completions.await(cq, Duration.ofSeconds(-1)), Errno.ETIMEDOUT);
    }
  }

  private static boolean isThere(CompletionQueue cq) {
    try {
      return Completions.await(cq, Duration.ZERO).isSuccess();
    } catch (VerbsException e) {
      assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT);
      return false;
    }
  }

  @OnEveryLink
  void anErrorIsThrownAtOnceAndSaysItsCauseAndWhatIsBehindItStays(TckLink link) {
    try (Messages messages = Messages.open(link, true)) {
      QpEnd left = messages.pair().left();
      QpEnd right = messages.pair().right();
      // An error of this side, because the network may lose a refusal.
      left.qp().postSend(SendWrs.write(1, right, 0, new Sge(left.addr(0), 8, 0)));
      left.qp().postSend(SendWrs.write(2, right, 0, left.sge(0, 8)));
      assertThatThrownBy(() -> Completions.awaitAll(left.sendCq(), 2, Await.DEADLINE))
          .isInstanceOfSatisfying(
              WcException.class,
              e -> {
                assertThat(e.workCompletion().wrId()).isEqualTo(1);
                assertThat(e.qp()).isSameAs(left.qp());
                assertThat(e.cq()).isSameAs(left.sendCq());
              })
          .hasMessageContaining(WcStatus.LOC_PROT_ERR.usualCause());
      WorkCompletion wc = new WorkCompletion();
      assertThatThrownBy(() -> Completions.await(left.sendCq(), wc, Await.DEADLINE))
          .isInstanceOf(WcException.class);
      assertThat(wc.wrId()).isEqualTo(2);
      assertThat(wc.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
    }
  }

  @OnEveryLink
  void anInterruptEndsTheWaitAndStaysSet(TckLink link) throws Exception {
    for (boolean channel : new boolean[] {true, false}) {
      try (Messages messages = Messages.open(link, channel)) {
        Background<Boolean> waits =
            Background.call(
                    () -> {
                      Refused.of(
                              () -> Completions.await(messages.cq(), Await.DEADLINE), Errno.EINTR)
                          .from("await");
                      return Thread.interrupted();
                    })
                .awaitBlocked();
        waits.interrupt();
        assertThat(waits.result()).isTrue();
      }
    }
  }

  @OnEveryLink
  void closingTheQueueEndsTheWait(TckLink link) throws Exception {
    for (boolean channel : new boolean[] {true, false}) {
      try (Messages messages = Messages.open(link, channel)) {
        CompletionQueue cq = messages.silentCq();
        Background<WorkCompletion> waits =
            Background.call(() -> Completions.await(cq, Await.DEADLINE)).awaitBlocked();
        cq.close();
        assertThatThrownBy(waits::result).isInstanceOf(ObjectClosedException.class);

        Background<WorkCompletion> others =
            Background.call(() -> Completions.await(messages.cq(), Await.DEADLINE)).awaitBlocked();
        messages.context().close();
        assertThatThrownBy(others::result).isInstanceOf(ObjectClosedException.class);
      }
    }
  }

  @OnEveryLink
  void theEventsTakenAreAcknowledged(TckLink link) throws Exception {
    try (Messages messages = Messages.open(link, true)) {
      Background<WorkCompletion> waits =
          Background.call(() -> Completions.await(messages.cq(), Await.DEADLINE)).awaitBlocked();
      messages.sendAll(1);
      assertThat(waits.result().wrId()).isEqualTo(0);
      messages.pair().right().qp().destroy();
      Background.run(messages.cq()::destroy).result();
    }
  }

  /** Has an event of the right end's sends in the channel that its receives have, too. */
  private static CompletionChannel withAnEventOfTheOtherQueue(Messages messages) {
    QpEnd left = messages.pair().left();
    QpEnd right = messages.pair().right();
    CompletionChannel channel = Objects.requireNonNull(messages.cq().channel());
    right.sendCq().reqNotify();
    left.postRecv(100, left.sge(0, 8));
    right.qp().postSend(SendWrs.send(100, right.sge(0, 8)).sendFlags(SendFlags.SIGNALED));
    Await.until("the event", channel::isReady);
    return channel;
  }

  @OnEveryLink
  void theEventsOfOtherQueuesAtTheChannelStayThere(TckLink link) throws Exception {
    try (Messages messages = Messages.open(link, true)) {
      CompletionChannel channel = withAnEventOfTheOtherQueue(messages);
      Background<WorkCompletion> waits =
          Background.call(() -> Completions.await(messages.cq(), Await.DEADLINE)).awaitBlocked();
      messages.send(1, 0);
      assertThat(waits.result().wrId()).isEqualTo(1);
      Refused.of(() -> Completions.await(messages.cq(), SHORT), Errno.ETIMEDOUT);
      assertThat(channel.checkPoll()).isSameAs(messages.pair().right().sendCq());
    }
  }

  @OnEveryLink
  void aNotificationOfOneQueueIsAwaitedBesideThoseOfOthers(TckLink link) throws Exception {
    try (Messages messages = Messages.open(link, true)) {
      CompletionQueue cq = messages.cq();
      CompletionChannel channel = withAnEventOfTheOtherQueue(messages);
      assertThat(cq.awaitNotification(Duration.ZERO)).isFalse();
      cq.reqNotify();
      Background<Boolean> waits =
          Background.call(() -> cq.awaitNotification(Duration.ofDays(1))).awaitBlocked();
      messages.send(1, 0);
      assertThat(waits.result()).isTrue();
      assertThat(cq.compEvents()).isEqualTo(1);
      assertThat(cq.awaitNotification(SHORT)).as("taken already").isFalse();
      assertThat(channel.checkPoll()).isSameAs(messages.pair().right().sendCq());
    }
  }

  @OnEveryLink
  void theEndOfTheQueueOrAnInterruptEndsTheWaitForANotification(TckLink link) throws Exception {
    try (Messages messages = Messages.open(link, true)) {
      CompletionChannel channel = withAnEventOfTheOtherQueue(messages);
      CompletionQueue cq = messages.context().createCq(1, channel);
      Callable<Boolean> wait = () -> cq.awaitNotification(Duration.ofDays(1));
      Background<Boolean> interrupted = Background.call(wait).awaitBlocked();
      interrupted.interrupt();
      assertThatThrownBy(interrupted::result).isInstanceOf(InterruptedException.class);
      Background<Boolean> waits = Background.call(wait).awaitBlocked();
      cq.destroy();
      assertThatThrownBy(waits::result).isInstanceOf(ObjectClosedException.class);
      CompletionQueue silent = messages.context().createCq(1);
      Refused.of(() -> silent.awaitNotification(SHORT), Errno.EINVAL)
          .naming(silent + " has no completion channel");
    }
  }

  @OnEveryLink
  void whatHasComeIsKeptIfNotAllComes(TckLink link) {
    try (Messages messages = Messages.open(link, true)) {
      List<WorkCompletion> all = new ArrayList<>();
      messages.sendAll(2);
      Refused.of(() -> Completions.awaitAll(messages.cq(), all, 3, SHORT), Errno.ETIMEDOUT)
          .naming("of 3 completions");
      while (all.size() < 2) {
        Completions.awaitAll(messages.cq(), all, 1, Await.DEADLINE);
      }
      assertThat(all).extracting(WorkCompletion::wrId).containsExactly(0L, 1L);

      messages.pair().right().postRecv(7, messages.pair().right().sge(0, 8));
      messages.pair().right().qp().modify(new QpAttr().qpState(QpState.ERR));
      assertThatThrownBy(() -> Completions.awaitAll(messages.cq(), all, 2, Await.DEADLINE))
          .isInstanceOf(WcException.class);
      assertThat(all).hasSize(3).last().returns(7L, WorkCompletion::wrId);
    }
  }

  @OnEveryLink
  void anyTimeoutWillDo(TckLink link) {
    try (Messages messages = Messages.open(link, true)) {
      messages.send(1, 0);
      Completions.await(messages.cq(), Duration.ofSeconds(Long.MAX_VALUE));
      Duration never = Duration.ofSeconds(Long.MIN_VALUE);
      Refused.of(() -> Completions.await(messages.cq(), never), Errno.ETIMEDOUT).from("await");
    }
  }

  /**
   * As for {@link CqPollerTest#noWakeUpIsLost}: the sender waits until each message is taken, and
   * then for a moment that differs. Several threads wait at one queue, and take each other's
   * events.
   */
  @OnEveryLink
  void severalThreadsAtOneQueueGetEveryCompletion(TckLink link) throws Exception {
    int messages = link.isFaulty() ? 60 : 600;
    int threads = 3;
    long seed = System.nanoTime();
    Random random = new Random(seed);
    AtomicLong taken = new AtomicLong();
    try (Messages bench = Messages.open(link, true)) {
      List<Background<Void>> waiting = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        waiting.add(
            Background.run(
                () -> {
                  for (int i = 0; i < messages / threads; i++) {
                    Completions.await(bench.cq(), Await.DEADLINE);
                    taken.getAndIncrement();
                  }
                }));
      }
      for (int i = 0; i < messages; i++) {
        int sent = i;
        for (int spins = random.nextInt(20_000); spins > 0; spins--) {
          Thread.onSpinWait();
        }
        bench.send(sent, 0);
        Await.until(
            () -> "message " + sent + " to be taken, seed " + seed, () -> taken.get() > sent);
      }
      for (Background<Void> thread : waiting) {
        thread.result();
      }
    }
  }
}
