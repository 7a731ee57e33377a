package dev.verbena.tools.demo;

import dev.verbena.tools.ToolException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WorkCompletion;
import java.time.Duration;

/** Polls for completions, but not for ever. */
final class Completions {
  private static final int POLLS_PER_CLOCK = 1 << 12;

  private final CompletionQueue cq;
  private final Duration patience;
  private final WorkCompletion completion = new WorkCompletion();

  Completions(CompletionQueue cq, Duration patience) {
    this.cq = cq;
    this.patience = patience;
  }

  /**
   * The next completion; the same object at every call.
   *
   * @throws WcException if it has an error
   */
  WorkCompletion next() {
    long deadline = 0;
    for (int polls = 1; !cq.poll(completion); polls++) {
      Thread.onSpinWait();
      if (polls % POLLS_PER_CLOCK == 0) {
        long now = System.nanoTime();
        deadline = deadline == 0 ? now + patience.toNanos() : deadline;
        if (now - deadline > 0) {
          throw ToolException.failure("nothing completed for " + patience.toSeconds() + " s");
        }
      }
    }
    if (!completion.isSuccess()) {
      throw new WcException(completion);
    }
    return completion;
  }
}
