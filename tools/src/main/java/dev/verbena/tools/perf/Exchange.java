package dev.verbena.tools.perf;

/** One message and its answer, as a latency test repeats them. */
interface Exchange {
  /** Waits for the peer's message with this number, or the end of a run by the clock. */
  void awaitPeer(long number) throws InterruptedException;

  /** Posts the message with this number, and waits until it has completed. */
  void post(long number) throws InterruptedException;

  /** Takes down what waiting needs. */
  void end();
}
