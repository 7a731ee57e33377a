package dev.verbena.tools.perf;

import dev.verbena.tools.kit.Progress;
import dev.verbena.tools.perf.figures.RunClock;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Sends messages and answers in turn. It measures the time from one message to the next, so this
 * includes all work of an end.
 */
final class LatencyLoop {
  private static final long LONGEST = TimeUnit.HOURS.toNanos(1);
  private static final int DIGITS = 3;

  private final Exchange exchange;
  private final RunClock clock;
  private final long iterations;
  private final long skip;
  private final Progress progress;
  private final Histogram times = new Histogram(LONGEST, DIGITS);
  private long counted;
  private long last;

  /**
   * @param iterations the number of messages; ignored if the clock ends the run
   * @param skip how many of them to leave out of the result
   */
  LatencyLoop(Exchange exchange, RunClock clock, long iterations, long skip, Progress progress) {
    this.exchange = exchange;
    this.clock = clock;
    this.iterations = clock.isTimed() ? Long.MAX_VALUE : iterations;
    this.skip = skip;
    this.progress = progress;
  }

  /**
   * Runs to the end.
   *
   * @param first whether this end begins
   */
  void run(boolean first) throws InterruptedException {
    clock.start(System.nanoTime());
    for (long number = 1; number <= iterations; number++) {
      long answer = first ? number - 1 : number;
      if (answer > 0) {
        exchange.awaitPeer(answer);
      }
      long now = System.nanoTime();
      if (clock.isOver(now)) {
        break;
      }
      sample(number, now);
      exchange.post(number);
      progress.at(number);
    }
    if (first && !clock.isTimed()) {
      exchange.awaitPeer(iterations);
    }
    exchange.end();
  }

  private void sample(long number, long now) {
    if (number > skip + 1 && clock.counts(now)) {
      times.recordValue(Math.min(now - last, LONGEST));
      counted++;
    }
    last = now;
  }

  /** The times from one message to the next, in nanoseconds. */
  Histogram times() {
    return times;
  }

  /** The number of messages; of a timed run, only those that counted. */
  long messages() {
    return clock.isTimed() ? counted : iterations;
  }
}
