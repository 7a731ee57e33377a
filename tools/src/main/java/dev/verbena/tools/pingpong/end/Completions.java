package dev.verbena.tools.pingpong.end;

import dev.verbena.verbs.WcStatus;

/** A source of completions for a loop. */
public interface Completions {
  /** wr_id of receives. */
  int RECV_WR_ID = 1;

  /** wr_id of sends. */
  int SEND_WR_ID = 2;

  /** Receives each completion. */
  interface Taker {
    /** Called when a work request of one of the queue pairs has completed. */
    void take(long wrId, WcStatus status, int qpNum);
  }

  /** Takes completions and returns their number. */
  int take(Taker taker);
}
