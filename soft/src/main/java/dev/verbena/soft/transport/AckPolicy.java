package dev.verbena.soft.transport;

/**
 * When a requester asks for an acknowledgement within a message, and which requests a responder
 * acknowledges. The last packet of a message always asks (S12.5.2).
 *
 * <p>An acknowledgement is given at once or not at all: it cannot be put off for some time. Whoever
 * asks for one waits for it, so it would only come later; on the loopback it is the return of a
 * call. What putting off would save is saved without a timer: the next one says all that this one
 * would have said, so where the link is behind, or a requester does not ask, several become one.
 */
public interface AckPolicy {
  /**
   * Whether a chunk in the middle of a message asks.
   *
   * @param inFlight unanswered PSNs before it
   * @param most PSNs that may be unanswered
   * @param fills whether no chunk may follow it before an answer comes
   */
  boolean asks(int inFlight, int most, boolean fills);

  /**
   * Whether a SEND or WRITE that was executed, or repeated, is acknowledged, now. If not, the next
   * acknowledgement includes it, or the requester asks again once its timer has expired.
   */
  boolean answers(Chunk chunk);
}
