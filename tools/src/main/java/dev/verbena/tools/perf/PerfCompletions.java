package dev.verbena.tools.perf;

import dev.verbena.tools.kit.CompletionWait;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.tools.perf.figures.RunClock;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.IntSupplier;

/** Waits for completions and hands them to a loop. */
final class PerfCompletions {
  private static final int BATCH = 16;

  /** Receives notice of completions. */
  interface Taker {
    /** Called when all messages of a lane up to this one have been sent. */
    void sent(int lane, long number);

    /** Called when a message has arrived. */
    void received(int lane);
  }

  private final CompletionQueue cq;
  private final CompletionWait wait;
  private final WorkCompletion[] batch = new WorkCompletion[BATCH];
  private final IntSupplier take = this::take;
  private final Taker taker;
  private boolean fresh = true;

  /**
   * @param patience how long to wait for a completion; zero waits for ever
   */
  PerfCompletions(CompletionQueue cq, Duration patience, Taker taker) {
    this.cq = cq;
    this.taker = taker;
    wait =
        new CompletionWait(
            cq,
            patience,
            () ->
                ToolException.failure(
                    "nothing completed for %d s; is the peer still running, with the same options?"
                            .formatted(patience.toSeconds())
                        + " What is lost on UC and UD stays lost"));
    Arrays.setAll(batch, i -> new WorkCompletion());
    wait.arm();
  }

  /** Waits until something has completed or the clock has ended the run. */
  void await(RunClock clock) throws InterruptedException {
    if (tookWhatCameEarly()) {
      return;
    }
    if (clock.isTimed()) {
      wait.forAnyBefore(clock.end(), take);
    } else {
      wait.forAny(take);
    }
  }

  /** Waits until something has completed. */
  void await() throws InterruptedException {
    if (!tookWhatCameEarly()) {
      wait.forAny(take);
    }
  }

  /**
   * Takes early completions: the peer may have begun before this end requested an event, and those
   * raise none.
   */
  private boolean tookWhatCameEarly() {
    boolean early = fresh;
    fresh = false;
    return early && take() > 0;
  }

  /** Acknowledges the events taken, so that the completion queue can be destroyed. */
  void acknowledgeEvents() {
    wait.acknowledgeEvents();
  }

  /** Takes all completions, because remaining ones raise no event. */
  private int take() {
    int all = 0;
    int found;
    do {
      found = cq.poll(batch);
      hand(found);
      all += found;
    } while (found == BATCH);
    return all;
  }

  private void hand(int found) {
    for (int i = 0; i < found; i++) {
      WorkCompletion wc = batch[i];
      long wrId = wc.wrId();
      if (wc.status() != WcStatus.SUCCESS) {
        throw failed(wc);
      }
      if (Receives.is(wrId)) {
        taker.received(Receives.lane(wrId));
      } else {
        taker.sent(Requests.lane(wrId), Requests.number(wrId));
      }
    }
  }

  private static ToolException failed(WorkCompletion wc) {
    long wrId = wc.wrId();
    String what = Receives.is(wrId) ? "a receive" : "message " + Requests.number(wrId);
    String hint =
        switch (wc.status()) {
          case RETRY_EXC_ERR ->
              ": the peer stopped answering, or UDP port 4791 does not reach it from here";
          case LOC_LEN_ERR, REM_INV_REQ_ERR, REM_OP_ERR, REM_ACCESS_ERR ->
              ": do both ends have the same --size and --qp?";
          default -> "";
        };
    return ToolException.failure(
        "Failed status %s (%d) of %s%s"
            .formatted(wc.status().str(), wc.status().number(), what, hint));
  }
}
