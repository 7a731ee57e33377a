package dev.verbena.tools.kit;

import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for completions: with events if the completion queue has a channel, otherwise by polling.
 */
public final class CompletionWait {
  private final CompletionQueue cq;
  private final Duration patience;
  private final Supplier<ToolException> silence;
  private final Idling idling;
  private int eventsTaken;

  /**
   * @param patience how long to wait; zero waits for ever
   * @param silence the exception to throw after that
   */
  public CompletionWait(CompletionQueue cq, Duration patience, Supplier<ToolException> silence) {
    this.cq = cq;
    this.patience = patience;
    this.silence = silence;
    idling = new Idling(patience);
  }

  /** Requests the first event, before anything can complete. */
  public void arm() {
    if (cq.channel() != null) {
      cq.reqNotify(false);
    }
  }

  /**
   * Waits for completions and takes them.
   *
   * @param take takes all completions, and returns their number
   * @return their number; 0 if an event was for completions already taken
   */
  public int forAny(IntSupplier take) throws InterruptedException {
    @Nullable CompletionChannel channel = cq.channel();
    if (channel != null) {
      if (!awaitEvent(channel, patience)) {
        throw silence.get();
      }
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

  /**
   * Waits like {@link #forAny}, but only until a time of {@link System#nanoTime}.
   *
   * @return the number taken; 0 also if the time is up
   */
  public int forAnyBefore(long deadline, IntSupplier take) throws InterruptedException {
    @Nullable CompletionChannel channel = cq.channel();
    long left = deadline - System.nanoTime();
    if (channel != null) {
      return left > 0 && awaitEvent(channel, Duration.ofNanos(left)) ? take.getAsInt() : 0;
    }
    idling.reset();
    int taken = take.getAsInt();
    while (taken == 0 && System.nanoTime() - deadline < 0) {
      if (!idling.idle()) {
        throw silence.get();
      }
      taken = take.getAsInt();
    }
    return taken;
  }

  /**
   * Requests the next event before polling, so that no completion in between is missed.
   *
   * @param limit how long to wait; zero waits for ever
   * @return false if there was none
   */
  private boolean awaitEvent(CompletionChannel channel, Duration limit)
      throws InterruptedException {
    @Nullable CompletionQueue source =
        limit.isZero() ? channel.getCqEvent() : channel.getCqEvent(limit);
    if (source == null) {
      return false;
    }
    eventsTaken++;
    if (!source.equals(cq)) {
      throw ToolException.failure("an event of an unknown completion queue: " + source);
    }
    cq.reqNotify(false);
    return true;
  }

  /** Acknowledges the events taken, so that the completion queue can be destroyed. */
  public void acknowledgeEvents() {
    if (eventsTaken > 0) {
      cq.ackEvents(eventsTaken);
      eventsTaken = 0;
    }
  }
}
