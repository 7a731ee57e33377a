package dev.verbena.interop;

import dev.verbena.interop.cases.Case;
import dev.verbena.interop.sides.CaseFailure;
import dev.verbena.interop.sides.Pair;
import dev.verbena.interop.sides.PairSettings;
import dev.verbena.interop.sides.Side;
import dev.verbena.interop.sides.SideFactory;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs cases one after the other, each on a separate thread with a deadline. Each wait in a case
 * has a deadline, too, but a call of a deadlocked device never returns.
 */
final class CaseRunner {
  private final SideFactory ours;
  private final SideFactory theirs;
  private final boolean lossy;
  private final Duration deadline;
  private final Report report;

  /** Cases on connections between these two. */
  CaseRunner(
      SideFactory ours, SideFactory theirs, boolean lossy, Duration deadline, Report report) {
    this.ours = ours;
    this.theirs = theirs;
    this.lossy = lossy;
    this.deadline = deadline;
    this.report = report;
  }

  /**
   * Runs a case once with each side as the initiator.
   *
   * @return false if it hangs; then no other case can run
   */
  boolean run(Case test, String only) throws InterruptedException {
    if (lossy && !test.toleratesLoss()) {
      return true;
    }
    for (boolean weInitiate : new boolean[] {true, false}) {
      String name = test.name() + (weInitiate ? "/from-us" : "/from-" + theirs.name());
      if (name.contains(only) && !runOnce(test, name, weInitiate)) {
        return false;
      }
    }
    return true;
  }

  private boolean runOnce(Case test, String name, boolean weInitiate) throws InterruptedException {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              play(test, weInitiate);
              return null;
            });
    long start = System.nanoTime();
    Thread.ofPlatform().daemon().name(name).start(task);
    boolean over = true;
    Throwable failure = null;
    try {
      task.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      failure = e.getCause();
    } catch (TimeoutException e) {
      failure = new CaseFailure("hangs: not over after " + deadline);
      ThreadDump.print(System.err);
      over = false;
    }
    report.add(name, Duration.ofNanos(System.nanoTime() - start), failure);
    return over;
  }

  private void play(Case test, boolean weInitiate) throws Exception {
    PairSettings settings = lossy ? test.settings().onLossyPath() : test.settings();
    try (Side our = ours.open(settings);
        Side their = theirs.open(settings)) {
      Pair pair = new Pair(weInitiate ? our : their, weInitiate ? their : our, settings);
      test.body().run(pair);
    }
  }
}
