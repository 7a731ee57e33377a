package dev.verbena.tools.perf;

import dev.verbena.tools.kit.Progress;
import dev.verbena.tools.kit.ProgressReporter;
import dev.verbena.tools.perf.figures.LatencyResult;
import dev.verbena.tools.perf.figures.Report;
import dev.verbena.tools.perf.figures.RunClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code verbena send-lat} and its relatives: perftest's ib_send_lat, to whose programs it talks.
 */
@Command
public final class LatencyCommand implements Callable<Integer> {
  private static final int SIZE = 2;
  private static final int ITERS = 1000;

  private final String command;
  private final Verb verb;
  private final PrintWriter out;
  private final PrintWriter err;
  private final ProgressReporter reporter;

  @Mixin private final EndOptions options;
  @Mixin private final RunOptions run;

  @Option(
      names = {"-H", "--histogram", "--report-histogram"},
      description =
          "Print all percentiles, as HdrHistogram does; with --json, add them to the result: for"
              + " each the time, and how many messages took no longer.")
  private boolean histogram;

  /**
   * Creates the command that measures this verb; it writes results to {@code out} and, with {@code
   * --json}, all else to {@code err}.
   */
  LatencyCommand(
      String command, Verb verb, PrintWriter out, PrintWriter err, ProgressReporter reporter) {
    this.command = command;
    this.verb = verb;
    this.out = out;
    this.err = err;
    this.reporter = reporter;
    options = new EndOptions(verb);
    run = new RunOptions(verb, SIZE, ITERS);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    run.check();
    new PerfSession(verb, options, run, out, err)
        .play(new PerfSession.Plan(command, true, 1, 1, Map.of()), this::test);
    return 0;
  }

  private void test(PerfEnd end, PerfChannel channel, Report report, int largest)
      throws IOException, InterruptedException {
    PerfKey local = end.lanes().getFirst().local();
    if (options.peer().isClient() || verb.isAnswered()) {
      report.header(run.isTimed() ? LatencyResult.TIMED_HEADER : LatencyResult.HEADER);
      @Nullable Receives receives = verb == Verb.SEND ? new Receives(end, options.rxDepth()) : null;
      for (int size : run.sizes(largest)) {
        if (verb == Verb.SEND) {
          channel.exchangeKeys(local);
        }
        measure(end, receives, size, report);
      }
    }
    // The C program for WRITE leaves without a message.
    if (verb != Verb.WRITE) {
      channel.sayDone(local);
    }
  }

  private void measure(PerfEnd end, @Nullable Receives receives, int size, Report report)
      throws InterruptedException {
    RunClock clock = run.clock();
    try (Progress progress = reporter.begin(progressTitle(size), run.isTimed() ? 0 : run.iters())) {
      LatencyLoop loop =
          new LatencyLoop(
              exchange(end, receives, size, clock), clock, run.iters(), run.skip(), progress);
      // As in the C programs, the server sends the first WRITE.
      loop.run(options.peer().isClient() == (verb != Verb.WRITE));
      LatencyResult result =
          new LatencyResult(size, loop.messages(), loop.times(), verb.isAnswered() ? 2 : 1);
      Map<String, Object> fields = result.fields();
      if (histogram) {
        fields.put("histogram", result.percentiles());
      }
      if (run.isTimed()) {
        fields.put(
            "allocated_bytes_per_message",
            clock.allocatedBytes() / (double) Math.max(1, result.iterations()));
        report.result(result.timedRow(clock.countedNanos()), fields);
      } else {
        report.result(result.row(), fields);
      }
      if (histogram) {
        report.text(result.histogram());
      }
    }
  }

  private String progressTitle(int size) {
    return "%s of %d bytes".formatted(command, size);
  }

  private Exchange exchange(PerfEnd end, @Nullable Receives receives, int size, RunClock clock) {
    Duration patience = options.peer().patience();
    PostedExchange posts =
        new PostedExchange(
            end, new Requests(end, verb, options.atomic(), 0, size, 1), receives, clock, patience);
    return verb == Verb.WRITE ? new WrittenExchange(end, posts, size, clock, patience) : posts;
  }
}
