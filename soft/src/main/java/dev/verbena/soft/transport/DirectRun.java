package dev.verbena.soft.transport;

/** A few messages that a requester passes to a peer without chunks. */
public interface DirectRun {
  /**
   * Passes them within the budget; the caller holds the responder's guard, if there is one.
   *
   * @return the number executed
   */
  int over(DirectPeer peer, Budget budget);
}
