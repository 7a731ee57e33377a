package dev.verbena.tools.pingpong;

import dev.verbena.tools.Idling;
import dev.verbena.tools.ToolException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The exchange itself: each end answers a message with one of its own, never with more than one
 * send outstanding, so a send queue of one entry is enough. A new message is sent once both the
 * last one sent and the last one received have completed, in whichever order.
 */
final class PingpongLoop {
  /** wr_id of receives. */
  static final int RECV_WR_ID = 1;

  /** wr_id of sends. */
  static final int SEND_WR_ID = 2;

  /** A send and a receive are the most that can complete between two polls. */
  private static final int BATCH = 2;

  /** Posts the work requests of one kind of queue pair. */
  interface Poster {
    /** Posts a send, signaled, with {@link #SEND_WR_ID}. */
    void postSend();

    /** Posts {@code count} receives with {@link #RECV_WR_ID}. */
    void postRecv(int count);
  }

  private final PingpongOptions options;
  private final CompletionQueue cq;
  private final Poster poster;
  private final Idling idling;
  private final WorkCompletion[] completions = {new WorkCompletion(), new WorkCompletion()};
  private int pending;
  private int sends;
  private int receives;
  private int posted;
  private int eventsTaken;

  PingpongLoop(PingpongOptions options, CompletionQueue cq, Poster poster) {
    this.options = options;
    this.cq = cq;
    this.poster = poster;
    idling = new Idling(options.patience());
  }

  /** Posts the first receives, before the peer knows about this end. */
  void prepare() {
    fillReceiveQueue();
    if (cq.channel() != null) {
      cq.reqNotify(false);
    }
  }

  /** Runs all exchanges; the client sends first. Returns the nanoseconds they took. */
  long run(boolean client) throws InterruptedException {
    long start = System.nanoTime();
    pending = RECV_WR_ID;
    if (client) {
      poster.postSend();
      pending |= SEND_WR_ID;
    }
    while (sends < options.iters() || receives < options.iters()) {
      int found = await();
      for (int i = 0; i < found; i++) {
        take(completions[i]);
      }
    }
    return System.nanoTime() - start;
  }

  /** Acknowledges the events taken, so that the completion queue can be destroyed. */
  void acknowledgeEvents() {
    if (eventsTaken > 0) {
      cq.ackEvents(eventsTaken);
      eventsTaken = 0;
    }
  }

  private int await() throws InterruptedException {
    if (cq.channel() != null) {
      awaitEvent();
      return cq.poll(BATCH, completions);
    }
    idling.reset();
    int found = cq.poll(BATCH, completions);
    while (found == 0) {
      if (!idling.idle()) {
        throw silence();
      }
      found = cq.poll(BATCH, completions);
    }
    return found;
  }

  /** Asks for the next event before it polls, so that nothing that completes meanwhile is lost. */
  private void awaitEvent() throws InterruptedException {
    var channel = cq.channel();
    if (channel == null) {
      throw new IllegalStateException("no completion channel");
    }
    @Nullable CompletionQueue source =
        patience().isZero() ? channel.getCqEvent() : channel.getCqEvent(patience());
    if (source == null) {
      throw silence();
    }
    eventsTaken++;
    if (!source.equals(cq)) {
      throw ToolException.failure("an event of an unknown completion queue: " + source);
    }
    cq.reqNotify(false);
  }

  private void take(WorkCompletion wc) {
    if (wc.status() != WcStatus.SUCCESS) {
      throw ToolException.failure(
          "Failed status %s (%d) for wr_id %d%s"
              .formatted(wc.status().str(), wc.status().number(), wc.wrId(), hint(wc.status())));
    }
    if (wc.wrId() == SEND_WR_ID) {
      sends++;
    } else {
      receives++;
      posted--;
      if (posted <= 1) {
        fillReceiveQueue();
      }
    }
    pending &= (int) ~wc.wrId();
    if (sends < options.iters() && pending == 0) {
      poster.postSend();
      pending = RECV_WR_ID | SEND_WR_ID;
    }
  }

  private void fillReceiveQueue() {
    poster.postRecv(options.rxDepth() - posted);
    posted = options.rxDepth();
  }

  private Duration patience() {
    return options.patience();
  }

  private ToolException silence() {
    return ToolException.failure(
        ("nothing completed for %d s, after %d sends and %d receives; is the peer still running,"
                + " with the same --iters and --size?")
            .formatted(patience().toSeconds(), sends, receives));
  }

  private static String hint(WcStatus status) {
    return switch (status) {
      case RETRY_EXC_ERR ->
          ": the peer stopped answering, or UDP port 4791 does not reach it from here";
      case LOC_LEN_ERR, REM_INV_REQ_ERR, REM_OP_ERR -> ": have both ends the same --size?";
      default -> "";
    };
  }
}
