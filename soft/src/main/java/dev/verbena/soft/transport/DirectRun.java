package dev.verbena.soft.transport;

/** A few messages that a requester hands to a responder in this process. */
public interface DirectRun {
  /**
   * Hands them over, within the budget; the caller holds the responder's guard.
   *
   * @return how many were executed
   */
  int over(DirectPeer peer, Budget budget);
}
