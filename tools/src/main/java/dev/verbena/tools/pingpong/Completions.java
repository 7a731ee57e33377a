package dev.verbena.tools.pingpong;

import dev.verbena.verbs.WcStatus;

/** A source of completions for a loop. */
interface Completions {
  /** Receives each completion. */
  interface Taker {
    /** Called when a work request of one of the queue pairs has completed. */
    void take(long wrId, WcStatus status, int qpNum);
  }

  /** Takes completions and returns their number. */
  int take(Taker taker);
}
