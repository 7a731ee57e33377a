package dev.verbena.tools.pingpong.end;

import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.WcStatus;

/** Completions with time stamps, which need a cursor; records those of receives. */
final class StampedCompletions implements Completions {
  private final CompletionQueueEx cq;
  private final int most;
  private final ReceiveTimes times;

  /**
   * @param most how many to take at a time
   * @param times records the time stamps of receives
   */
  StampedCompletions(CompletionQueueEx cq, int most, ReceiveTimes times) {
    this.cq = cq;
    this.most = most;
    this.times = times;
  }

  @Override
  public int take(Taker taker) {
    if (!cq.startPoll()) {
      return 0;
    }
    int found = 0;
    try {
      do {
        if (cq.wrId() == RECV_WR_ID && cq.status() == WcStatus.SUCCESS) {
          times.received(cq.readCompletionTs());
        }
        taker.take(cq.wrId(), cq.status(), cq.readQpNum());
        found++;
      } while (found < most && cq.nextPoll());
    } finally {
      cq.endPoll();
    }
    return found;
  }
}
