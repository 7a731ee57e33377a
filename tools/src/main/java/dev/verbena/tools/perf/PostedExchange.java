package dev.verbena.tools.perf;

import dev.verbena.tools.perf.figures.RunClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An exchange that needs only completions: of the messages sent and, with receives, of those
 * received. READs and atomics have no answer but their completion.
 */
final class PostedExchange implements Exchange, PerfCompletions.Taker {
  private final Requests requests;
  private final @Nullable Receives receives;
  private final RunClock clock;
  private final PerfCompletions completions;
  private long sent;
  private long received;

  /**
   * @param receives null if nothing is received
   */
  PostedExchange(
      PerfEnd end,
      Requests requests,
      @Nullable Receives receives,
      RunClock clock,
      Duration patience) {
    this.requests = requests;
    this.receives = receives;
    this.clock = clock;
    completions = new PerfCompletions(end.cq(), patience, this);
  }

  @Override
  public void awaitPeer(long number) throws InterruptedException {
    while (receives != null && received < number && !clock.isOver(System.nanoTime())) {
      completions.await(clock);
    }
  }

  @Override
  public void post(long number) throws InterruptedException {
    requests.post(number, 1, 1, number);
    while (sent < number && !clock.isOver(System.nanoTime())) {
      completions.await(clock);
    }
  }

  @Override
  public void end() {
    completions.acknowledgeEvents();
  }

  @Override
  public void sent(int lane, long number) {
    sent = number;
  }

  @Override
  public void received(int lane) {
    received++;
    if (receives != null) {
      receives.post(lane);
    }
  }
}
