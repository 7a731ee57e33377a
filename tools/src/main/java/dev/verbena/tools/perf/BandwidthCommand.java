package dev.verbena.tools.perf;

import dev.verbena.tools.kit.Progress;
import dev.verbena.tools.kit.ProgressReporter;
import dev.verbena.tools.perf.figures.BandwidthResult;
import dev.verbena.tools.perf.figures.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code verbena send-bw} and its relatives: perftest's ib_send_bw, to whose programs it talks. */
@Command
public final class BandwidthCommand implements Callable<Integer> {
  private static final int SIZE = 65536;
  private static final int ITERS = 1000;
  private static final int WRITE_ITERS = 5000;

  private final String command;
  private final Verb verb;
  private final PrintWriter out;
  private final PrintWriter err;
  private final ProgressReporter reporter;

  @Mixin private final EndOptions options;
  @Mixin private final RunOptions run;
  @Mixin private final BandwidthOptions load = new BandwidthOptions();

  /**
   * Creates the command that measures this verb; it writes results to {@code out} and, with {@code
   * --json}, all else to {@code err}.
   */
  BandwidthCommand(
      String command, Verb verb, PrintWriter out, PrintWriter err, ProgressReporter reporter) {
    this.command = command;
    this.verb = verb;
    this.out = out;
    this.err = err;
    this.reporter = reporter;
    options = new EndOptions(verb);
    run = new RunOptions(verb, SIZE, verb == Verb.WRITE ? WRITE_ITERS : ITERS);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    run.check();
    load.check();
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("Post List", load.list());
    settings.put("CQ Moderation", load.cqModeration(run.size()));
    settings.put("Bidirectional", load.bothWays());
    new PerfSession(verb, options, run, out, err)
        .play(
            new PerfSession.Plan(command, false, load.queuePairs(), load.txDepth(), settings),
            this::test);
    return 0;
  }

  private void test(PerfEnd end, PerfChannel channel, Report report, int largest)
      throws IOException, InterruptedException {
    report.header(BandwidthResult.header(load.gigabits()));
    PerfKey local = end.lanes().getFirst().local();
    if (verb == Verb.SEND || load.bothWays()) {
      measureTogether(end, channel, report, run.sizes(largest));
    } else {
      measureAlone(end, channel, report, run.sizes(largest));
    }
    channel.sayDone(local);
  }

  /** Both ends synchronise before each size; in both directions, they also exchange results. */
  private void measureTogether(PerfEnd end, PerfChannel channel, Report report, int[] sizes)
      throws IOException, InterruptedException {
    PerfKey local = end.lanes().getFirst().local();
    boolean sends = options.peer().isClient() || load.bothWays();
    boolean receives = verb == Verb.SEND && (!options.peer().isClient() || load.bothWays());
    @Nullable Receives queues = receives ? new Receives(end, options.rxDepth()) : null;
    for (int size : sizes) {
      channel.exchangeKeys(local);
      BandwidthResult mine = measure(end, size, sends, queues);
      // The C programs wait for each other in this order, which depends on the verb.
      if (run.all() && verb != Verb.SEND) {
        channel.exchangeKeys(local);
      }
      boolean told = load.bothWays() && !(verb == Verb.SEND && run.isTimed());
      show(report, told ? mine.plus(channel.exchangeResults(mine)) : mine);
      if (run.all() && verb == Verb.SEND) {
        channel.exchangeKeys(local);
      }
    }
  }

  /** Only the client is active, and sends the server its last result. */
  private void measureAlone(PerfEnd end, PerfChannel channel, Report report, int[] sizes)
      throws IOException, InterruptedException {
    PerfKey local = end.lanes().getFirst().local();
    BandwidthResult last = BandwidthResult.NONE;
    if (options.peer().isClient()) {
      for (int size : sizes) {
        last = measure(end, size, true, null);
        show(report, last);
      }
    }
    channel.exchangeKeys(local);
    BandwidthResult theirs = channel.exchangeResults(last);
    if (!options.peer().isClient()) {
      show(report, theirs);
    }
  }

  private BandwidthResult measure(PerfEnd end, int size, boolean sends, @Nullable Receives receives)
      throws InterruptedException {
    Requests[] requests = new Requests[sends ? load.queuePairs() : 0];
    Arrays.setAll(requests, i -> new Requests(end, verb, options.atomic(), i, size, load.list()));
    long messages = run.isTimed() ? 0 : (long) run.iters() * load.queuePairs();
    try (Progress progress = reporter.begin("%s of %d bytes".formatted(command, size), messages)) {
      return new BandwidthLoop(
              end, requests, receives, size, run, load, options.peer().patience(), progress)
          .run(load.unit());
    }
  }

  private void show(Report report, BandwidthResult result) {
    report.result(result.row(), result.fields(load.gigabits()));
  }
}
