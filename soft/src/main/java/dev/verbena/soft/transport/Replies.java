package dev.verbena.soft.transport;

import dev.verbena.soft.transport.packets.Outbox;

/**
 * Takes a responder's answers: into an {@link Outbox} to become packets, or straight to the
 * requester on the loopback. Called under the responder guard.
 */
public interface Replies {
  /** Whether another READ or atomic can be answered now. */
  boolean hasRoom();

  /**
   * Whether the READ or atomic with this PSN can be answered once more: in place of an answer to it
   * that still waits, but never at the cost of a request that the peer may send again.
   */
  boolean hasRoomToRepeat(int psn);

  /**
   * Whether acknowledgements say how many receives are posted (S12.5.11): if the peer is known to
   * be a device like this one. Linux takes no notice of it, and does not bear all acknowledgements
   * that come of it. On the loopback it would save nothing, as the requester learns there at once
   * that there is none.
   */
  boolean giveCredits();

  /**
   * Acknowledges everything up to a PSN, or refuses the request at it.
   *
   * @param psn the PSN
   * @param syndrome AETH syndrome (S12.6.4)
   * @param msn messages completed
   */
  void acknowledge(int psn, int syndrome, int msn);

  /**
   * Answers a checked READ with {@code length} bytes from {@code va}.
   *
   * @param psn first PSN of the responses
   * @param psnCount PSNs of the responses
   * @param msn messages completed
   * @param srqNum the shared receive queue that the request names, for XRC
   * @param rkey key of the region
   * @param va address in the region
   * @param length bytes
   */
  void read(int psn, int psnCount, int msn, int srqNum, int rkey, long va, long length);

  /**
   * Answers a repeated READ, as {@link #read} does. If its memory ends before all of the answer was
   * sent, the rest is dropped silently: the peer may have had the first answer, and invalidated the
   * key after it.
   */
  default void readAgain(
      int psn, int psnCount, int msn, int srqNum, int rkey, long va, long length) {
    read(psn, psnCount, msn, srqNum, rkey, va, length);
  }

  /**
   * Answers an atomic.
   *
   * @param psn its PSN
   * @param msn messages completed
   * @param original value found
   */
  void atomic(int psn, int msn, long original);
}
