package dev.verbena.soft.transport;

/**
 * Decides when a requester asks for an acknowledgement within a message, and which requests a
 * responder acknowledges. The last packet of a message always asks (S12.5.2).
 *
 * <p>A responder acknowledges at once or not at all; it cannot delay an acknowledgement. A
 * requester that asks for one waits for it, so a delay would only cost time; on the loopback it is
 * the return of a call. The saving of a delay comes without a timer: the next acknowledgement
 * includes this one, so if the link is behind, or a requester does not ask, several become one.
 */
public interface AckPolicy {
  /**
   * Whether a chunk in the middle of a message asks, if packets are not sent in runs. Of a run the
   * last one asks in any case, because the requester waits there until the next one has room.
   *
   * @param inFlight unanswered PSNs before it
   * @param most PSNs that may be unanswered
   * @param fills whether no chunk may follow it before an answer comes
   */
  boolean asks(int inFlight, int most, boolean fills);

  /**
   * Whether to acknowledge an executed or repeated SEND or WRITE now. If not, the next
   * acknowledgement includes it, or the requester asks again once its timer has expired.
   */
  boolean answers(Chunk chunk);
}
