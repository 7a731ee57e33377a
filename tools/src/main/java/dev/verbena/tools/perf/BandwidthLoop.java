package dev.verbena.tools.perf;

import dev.verbena.tools.kit.Progress;
import dev.verbena.tools.perf.figures.BandwidthResult;
import dev.verbena.tools.perf.figures.PeakMeter;
import dev.verbena.tools.perf.figures.RunClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Keeps as many messages in flight as the queues hold, to the peer, from it, or both. */
final class BandwidthLoop implements PerfCompletions.Taker {
  private final Requests[] requests;
  private final @Nullable Receives receives;
  private final RunClock clock;
  private final int size;
  private final long each;
  private final long total;
  private final long skip;
  private final int list;
  private final int depth;
  private final int moderation;
  private final long[] posted;
  private final long[] sent;
  private final @Nullable PeakMeter peak;
  private final Progress progress;
  private final PerfCompletions completions;
  private long allPosted;
  private long allSent;
  private long allReceived;
  private long begin;
  private long skipped;
  private long counted;
  private long end;

  /**
   * @param requests the requests of each lane; none if this end does not send
   * @param receives null if nothing is received
   */
  BandwidthLoop(
      PerfEnd end,
      Requests[] requests,
      @Nullable Receives receives,
      int size,
      RunOptions run,
      BandwidthOptions options,
      Duration patience,
      Progress progress) {
    this.requests = requests;
    this.receives = receives;
    this.size = size;
    this.progress = progress;
    clock = run.clock();
    int lanes = end.lanes().size();
    each = clock.isTimed() ? Long.MAX_VALUE : run.iters();
    total = clock.isTimed() ? Long.MAX_VALUE : (long) run.iters() * lanes;
    skip = (long) run.skip() * lanes;
    list = options.list();
    depth = options.txDepth();
    moderation = options.cqModeration(size);
    posted = new long[requests.length];
    sent = new long[requests.length];
    boolean measuresPeak = options.wantsPeak() && sends() && total <= PeakMeter.MOST;
    peak = measuresPeak ? new PeakMeter((int) total) : null;
    completions = new PerfCompletions(end.cq(), patience, this);
  }

  /** Runs to the end and returns the speed. */
  BandwidthResult run(double unit) throws InterruptedException {
    while (!sends() && allReceived == 0) {
      completions.await();
    }
    if (sends()) {
      start();
    }
    while (!isDone()) {
      post();
      completions.await(clock);
    }
    completions.acknowledgeEvents();
    if (clock.isTimed()) {
      return BandwidthResult.of(
          size, counted, clock.countedNanos(), Double.POSITIVE_INFINITY, unit);
    }
    return BandwidthResult.of(
        size,
        total - skipped,
        end - begin,
        peak == null ? Double.POSITIVE_INFINITY : peak.bestNanos(),
        unit);
  }

  private boolean sends() {
    return requests.length > 0;
  }

  private void start() {
    begin = System.nanoTime();
    clock.start(begin);
  }

  private boolean isDone() {
    if (clock.isTimed()) {
      return clock.isOver(System.nanoTime());
    }
    return (!sends() || allSent == total) && (receives == null || allReceived == total);
  }

  private void post() {
    for (int i = 0; i < requests.length; i++) {
      int count = next(i);
      while (count > 0 && posted[i] - sent[i] + count <= depth) {
        if (peak != null) {
          peak.posted(allPosted, System.nanoTime());
        }
        requests[i].post(posted[i] + 1, count, moderation, each);
        posted[i] += count;
        allPosted += count;
        count = next(i);
      }
    }
  }

  /** The number of messages in the next list of a lane. */
  private int next(int lane) {
    return (int) Math.min(list, each - posted[lane]);
  }

  @Override
  public void sent(int lane, long number) {
    long before = allSent;
    allSent += number - sent[lane];
    sent[lane] = number;
    if (peak != null) {
      peak.completed(allSent, System.nanoTime());
    }
    count(before, allSent);
  }

  @Override
  public void received(int lane) {
    allReceived++;
    if (receives != null) {
      receives.post(lane);
    }
    if (!sends()) {
      if (allReceived == 1) {
        start();
      }
      count(allReceived - 1, allReceived);
    }
  }

  /** Counts messages in the direction that this end measures. */
  private void count(long before, long after) {
    if (clock.isTimed()) {
      if (clock.counts(System.nanoTime())) {
        counted += after - before;
      }
    } else if (before < skip && after >= skip) {
      begin = System.nanoTime();
      skipped = after;
    }
    if (after == total) {
      end = System.nanoTime();
    }
    progress.at(after);
  }
}
