package dev.verbena.soft.transport;

import dev.verbena.soft.memory.SpanList;
import dev.verbena.wire.Address;

/**
 * A responder in this process that takes whole messages by a call, without chunks and answers. What
 * it takes has passed each check that chunks pass, and was executed when the call returns. Anything
 * else it leaves alone: nothing has changed then, and the message comes again as a chunk, which
 * finds out why. Called under its guard.
 */
public interface DirectPeer {
  /** Whether messages from there pass the checks that come before their sequence. */
  boolean admits(Address source, int pkey);

  /**
   * A WRITE.
   *
   * @param psn first PSN
   * @param psnCount PSNs that it takes
   * @param payload its bytes, at least one
   * @return whether it was executed
   */
  boolean writeWhole(int psn, int psnCount, int rkey, long va, SpanList payload);

  /**
   * A READ.
   *
   * @param psn first PSN
   * @param psnCount PSNs that its responses take
   * @param landing where its bytes go, at least one
   * @return whether it was executed
   */
  boolean readWhole(int psn, int psnCount, int rkey, long va, SpanList landing);
}
