package dev.verbena.soft.transport;

/** A few messages that a requester passes to a responder in this process. */
public interface DirectRun {
  /**
   * Passes them within the budget; the caller holds the responder's guard.
   *
   * @return the number executed
   */
  int over(DirectPeer peer, Budget budget);
}
