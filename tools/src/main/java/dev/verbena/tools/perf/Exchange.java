package dev.verbena.tools.perf;

/** One message and its answer, which a latency test repeats. */
interface Exchange {
  /** Waits for the peer's message with this number, or for the end of a timed run. */
  void awaitPeer(long number) throws InterruptedException;

  /** Posts the message with this number, and waits until it has completed. */
  void post(long number) throws InterruptedException;

  /** Releases the resources for waiting. */
  void end();
}
