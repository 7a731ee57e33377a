package dev.verbena.soft.transport;

/**
 * When a requester asks for an acknowledgement within a message, and when a responder gives one.
 * The last packet of a message always asks (S12.5.2).
 */
public interface AckPolicy {
  /**
   * Whether a chunk in the middle of a message asks.
   *
   * @param inFlight PSNs that are unanswered before it
   * @param most PSNs that may be
   * @param fills whether none may follow it before an answer comes
   */
  boolean asks(int inFlight, int most, boolean fills);

  /** Whether a SEND or WRITE that was executed, or repeated, is answered now. */
  boolean answers(Chunk chunk);
}
