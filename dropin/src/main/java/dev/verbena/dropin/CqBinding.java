package dev.verbena.dropin;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionQueueEx;
import org.jspecify.annotations.Nullable;

/** A completion queue and the program's struct of it; the context object of the queue. */
final class CqBinding {
  private static final int POLLS_PER_YIELD = 64;

  private final long struct;
  private final int wcFlags;
  private @Nullable CompletionQueue queue;
  private int emptyPolls;

  /**
   * @param struct address of the struct ibv_cq_ex
   * @param wcFlags fields beyond the usual ones that the cursor reads
   */
  CqBinding(long struct, int wcFlags) {
    this.struct = struct;
    this.wcFlags = wcFlags;
  }

  static CqBinding get(long handle) {
    return Handles.get(handle, HandleKind.CQ);
  }

  /** Sets the queue, which is made with this object as its context. */
  void bind(CompletionQueue made) {
    queue = made;
  }

  long struct() {
    return struct;
  }

  CompletionQueue queue() {
    CompletionQueue present = queue;
    if (present == null) {
      throw new IllegalStateException("a completion queue is used before it is made");
    }
    return present;
  }

  /** The queue with a cursor. */
  CompletionQueueEx cursor() {
    return (CompletionQueueEx) queue();
  }

  /** The same, where reading has begun, which in C belongs to no thread. */
  CompletionQueueEx reading() {
    CompletionQueueEx present = cursor();
    present.resumePoll();
    return present;
  }

  /**
   * A poll came to an end. A program written for an adapter polls without a pause, as if it had the
   * processor to itself; where it has not, whom it waits for would get its turn only when the
   * program's time slice is over. So now and then a poll in vain offers the processor to others,
   * rarely enough not to be felt where nobody wants it. The count need not be exact.
   */
  @SuppressWarnings("ThreadPriorityCheck")
  void polled(boolean found) {
    if (found) {
      emptyPolls = 0;
    } else if (++emptyPolls % POLLS_PER_YIELD == 0) {
      Thread.yield();
    }
  }

  /** Whether the cursor reads a field. */
  boolean reads(int wcFlag) {
    return (wcFlags & wcFlag) != 0;
  }
}
