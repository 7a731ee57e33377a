package dev.verbena.soft.transport;

import dev.verbena.soft.memory.SpanList;
import dev.verbena.wire.Address;

/**
 * A responder in this process that takes whole messages by a call, without chunks and answers. A
 * message that it takes has passed all checks for chunks, and has been executed when the call
 * returns. Otherwise nothing has changed, and the message comes again as a chunk, which finds the
 * reason. Called under its guard.
 */
public interface DirectPeer {
  /** Whether messages from this source pass the checks before the sequence. */
  boolean admits(Address source, int pkey);

  /**
   * A WRITE.
   *
   * @param psn first PSN
   * @param psnCount its number of PSNs
   * @param payload its bytes, at least one
   * @return whether it was executed
   */
  boolean writeWhole(int psn, int psnCount, int rkey, long va, SpanList payload);

  /**
   * A READ.
   *
   * @param psn first PSN
   * @param psnCount the number of PSNs of its responses
   * @param landing memory for its bytes, at least one
   * @return whether it was executed
   */
  boolean readWhole(int psn, int psnCount, int rkey, long va, SpanList landing);
}
