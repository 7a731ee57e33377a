package dev.verbena.mad;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.HeardLog;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.IbPath;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.ClassPortInfo;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Tests transactors that a program loses without closing them; isolated, because it waits for the
 * garbage collector.
 */
@Isolated
class LostTransactorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HeardLog log =
      new HeardLog("dev.verbena.mad.LostTransactors", "dev.verbena.verbs.provider.LostContexts");

  @AfterEach
  void becomeQuiet() {
    log.close();
  }

  /** Collects garbage until the log says this. */
  private void awaitLine(String part) throws InterruptedException {
    log.await(part, PATIENCE, System::gc);
  }

  /** Collects garbage until all unreachable objects are gone. */
  private static void collect() {
    WeakReference<Object> unreachable = new WeakReference<>(new Object());
    while (unreachable.get() != null) {
      System.gc();
    }
  }

  private static boolean hasThread(EndPort endPort) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("verbena-mad-" + endPort));
  }

  private static void lose(EndPort endPort, Context context) {
    MadTransactor mad = Mads.getGmpMad(endPort, context);
    mad.subnAdmGet(new Attribute(ClassPortInfo.FORMAT));
  }

  @Test
  void aLostTransactorIsReportedAndClosed() throws InterruptedException {
    try (Context context = Devices.open("ib:lost-transactor")) {
      EndPort endPort = context.endPort();
      lose(endPort, context);
      assertThat(hasThread(endPort)).isTrue();
      awaitLine("has lost the MAD transactor of " + endPort + " without closing it");
      while (hasThread(endPort)) {
        Thread.onSpinWait();
      }
      assertThat(context.isClosed()).isFalse();
    }
  }

  private static String loseBoth() {
    Context context = Devices.open("ib:lost-with-transactor");
    lose(context.endPort(), context);
    return context.device().name();
  }

  @Test
  void aContextIsLostThoughATransactorUsesIt() throws InterruptedException {
    String device = loseBoth();
    awaitLine("has lost the context of " + device);
    awaitLine("has lost the MAD transactor of " + device);
  }

  private static void loseClosed(EndPort endPort, Context context) {
    Mads.getGmpMad(endPort, context).close();
  }

  @Test
  void oneThatWasClosedIsNotReported() throws InterruptedException {
    try (Context closed = Devices.open("ib:closed-transactor");
        Context lost = Devices.open("ib:another-transactor")) {
      loseClosed(closed.endPort(), closed);
      lose(lost.endPort(), lost);
      awaitLine(lost.endPort().toString());
      assertThat(log.lines()).noneMatch(line -> line.contains(closed.endPort().toString()));
    }
  }

  private static WeakReference<MadTransactor> ask(
      Context context, List<CompletableFuture<Attribute>> answers) {
    IbPath nobody =
        context.endPort().saPath().copy(b -> b.dqpn(0xfffff0).packetLifeTime(31).retries(7));
    MadTransactor mad = Mads.getGmpMad(context.endPort(), context, nobody);
    answers.add(mad.async(MadCall.subnAdmGet(new Attribute(ClassPortInfo.FORMAT))));
    return new WeakReference<>(mad);
  }

  @Test
  void oneWhoseAnswerIsAwaitedIsNotLostYet() throws InterruptedException {
    try (Context context = Devices.open("ib:waiting-transactor")) {
      List<CompletableFuture<Attribute>> answers = new ArrayList<>();
      WeakReference<MadTransactor> mad = ask(context, answers);
      collect();
      assertThat(mad.get()).isNotNull();
      assertThat(answers.getFirst()).isNotDone();
      answers.getFirst().cancel(false);
      awaitLine("has lost the MAD transactor of " + context.endPort());
    }
  }
}
