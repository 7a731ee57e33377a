package dev.verbena.soft.transport;

import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.wire.Address;
import dev.verbena.wire.Operation;

/**
 * Takes whole messages by a call, without chunks and answers: a responder in this process, under
 * its guard, or the memory of another process. A message that it takes has passed all checks for
 * chunks, and has been executed when the call returns. Otherwise the responder is as before, and
 * the message comes again in chunks, which find the reason.
 */
public interface DirectPeer {
  /** Whether messages from this source pass the checks before the sequence. */
  boolean admits(Address source, int pkey);

  /**
   * A WRITE, or a part of one if PSNs are not counted ({@link Path#countsDirect}).
   *
   * @param psn first PSN
   * @param psnCount its number of PSNs
   * @param payload its bytes, at least one
   * @return whether it was executed
   */
  boolean writeWhole(int psn, int psnCount, int rkey, long va, SpanList payload);

  /**
   * A SEND, with immediate data or without. Memory of another process takes none, as nobody there
   * would complete the receive.
   *
   * @param psn first PSN
   * @param psnCount its number of PSNs
   * @param request what it says besides its bytes
   * @param payload its bytes
   * @return whether it was executed, and its receive has completed
   */
  default boolean sendWhole(int psn, int psnCount, SendWqe request, SpanList payload) {
    return false;
  }

  /**
   * A READ, or a part of one.
   *
   * @param psn first PSN
   * @param psnCount the number of PSNs of its responses
   * @param landing memory for its bytes, at least one
   * @return whether it was executed
   */
  boolean readWhole(int psn, int psnCount, int rkey, long va, SpanList landing);

  /**
   * An atomic, which is never executed twice: who gets true asks {@link #original} for its answer.
   *
   * @param psn its PSN
   * @param operation COMPARE_SWAP or FETCH_ADD
   * @param va address of its 8 bytes
   * @param compare the value to be found, of a comparison
   * @param swapOrAdd the value to store or to add
   * @return whether it was executed
   * @throws IllegalStateException if its memory has ended meanwhile, so that nobody knows whether
   * @throws InternalError likewise
   */
  boolean atomicWhole(
      int psn, Operation operation, int rkey, long va, long compare, long swapOrAdd);

  /** The value that the last atomic found, in host order. */
  long original();
}
