package dev.verbena.soft.transport;

/**
 * What the protocol machines of a queue pair tell of themselves, for logs and recordings: what goes
 * wrong or takes another try, never what simply works. Called under the queue pair's guards, after
 * what it tells of is done; what is handed over is valid during the call only.
 */
public interface Journal {
  /** A request of the peer is not executed. */
  void refused(RefusedRequest request);
}
