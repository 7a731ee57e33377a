package dev.verbena.tools.pingpong;

import dev.verbena.verbs.WcStatus;

/** How a loop learns what has completed. */
interface Completions {
  /** Is told of each completion. */
  interface Taker {
    /** A work request of one of the queue pairs has completed. */
    void take(long wrId, WcStatus status, int qpNum);
  }

  /** Takes what has completed, and returns how much that was. */
  int take(Taker taker);
}
