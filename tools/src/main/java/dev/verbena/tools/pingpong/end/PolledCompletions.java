package dev.verbena.tools.pingpong.end;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.WorkCompletion;
import java.util.Arrays;

/** Completions from ibv_poll_cq. */
final class PolledCompletions implements Completions {
  private final CompletionQueue cq;
  private final WorkCompletion[] batch;

  /**
   * @param most how many to take at a time
   */
  PolledCompletions(CompletionQueue cq, int most) {
    this.cq = cq;
    batch = new WorkCompletion[most];
    Arrays.setAll(batch, i -> new WorkCompletion());
  }

  @Override
  public int take(Taker taker) {
    int found = cq.poll(batch);
    for (int i = 0; i < found; i++) {
      taker.take(batch[i].wrId(), batch[i].status(), batch[i].qpNum());
    }
    return found;
  }
}
