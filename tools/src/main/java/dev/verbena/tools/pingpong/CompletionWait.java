package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.Idling;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for completions: by events if the completion queue has a channel, otherwise by polling. */
final class CompletionWait {
  private final CompletionQueue cq;
  private final Duration patience;
  private final Supplier<ToolException> silence;
  private final Idling idling;
  private int eventsTaken;

  /**
   * @param patience how long to wait; zero waits for ever
   * @param silence what to throw after that
   */
  CompletionWait(CompletionQueue cq, Duration patience, Supplier<ToolException> silence) {
    this.cq = cq;
    this.patience = patience;
    this.silence = silence;
    idling = new Idling(patience);
  }

  /** Asks for the first event, before anything can complete. */
  void arm() {
    if (cq.channel() != null) {
      cq.reqNotify(false);
    }
  }

  /**
   * Waits and takes.
   *
   * @param take takes all that has completed, and returns how much that was
   * @return how much; 0 if an event told of what was taken before it came
   */
  int forAny(IntSupplier take) throws InterruptedException {
    @Nullable CompletionChannel channel = cq.channel();
    if (channel != null) {
      awaitEvent(channel);
      return take.getAsInt();
    }
    idling.reset();
    int taken = take.getAsInt();
    while (taken == 0) {
      if (!idling.idle()) {
        throw silence.get();
      }
      taken = take.getAsInt();
    }
    return taken;
  }

  /** Asks for the next event before it polls, so that nothing that completes meanwhile is lost. */
  private void awaitEvent(CompletionChannel channel) throws InterruptedException {
    @Nullable CompletionQueue source =
        patience.isZero() ? channel.getCqEvent() : channel.getCqEvent(patience);
    if (source == null) {
      throw silence.get();
    }
    eventsTaken++;
    if (!source.equals(cq)) {
      throw ToolException.failure("an event of an unknown completion queue: " + source);
    }
    cq.reqNotify(false);
  }

  /** Acknowledges the events taken, so that the completion queue can be destroyed. */
  void acknowledgeEvents() {
    if (eventsTaken > 0) {
      cq.ackEvents(eventsTaken);
      eventsTaken = 0;
    }
  }
}
