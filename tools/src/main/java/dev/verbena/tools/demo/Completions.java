package dev.verbena.tools.demo;

import dev.verbena.tools.kit.Idling;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WorkCompletion;
import java.time.Duration;

/**
 * Waits for completions, but not for ever: by polling, or asleep until an event if the completion
 * queue has a channel.
 */
final class Completions {
  private final CompletionQueue cq;
  private final Duration patience;
  private final Idling idling;
  private final WorkCompletion completion = new WorkCompletion();

  Completions(CompletionQueue cq, Duration patience) {
    this.cq = cq;
    this.patience = patience;
    idling = new Idling(patience);
  }

  /**
   * The next completion; the same object at every call.
   *
   * @throws WcException if it has an error
   */
  WorkCompletion next() throws InterruptedException {
    CompletionChannel channel = cq.channel();
    if (channel == null) {
      poll();
    } else {
      sleep(channel);
    }
    if (!completion.isSuccess()) {
      throw new WcException(completion);
    }
    return completion;
  }

  private void poll() {
    idling.reset();
    while (!cq.poll(completion)) {
      if (!idling.idle()) {
        throw silence();
      }
    }
  }

  /** Asks for an event before the poll that decides to sleep, so that none is missed. */
  private void sleep(CompletionChannel channel) throws InterruptedException {
    while (!cq.poll(completion)) {
      cq.reqNotify(false);
      if (cq.poll(completion)) {
        return;
      }
      CompletionQueue raised = channel.getCqEvent(patience);
      if (raised == null) {
        throw silence();
      }
      raised.ackEvents(1);
    }
  }

  private ToolException silence() {
    return ToolException.failure("nothing completed for " + patience.toSeconds() + " s");
  }
}
