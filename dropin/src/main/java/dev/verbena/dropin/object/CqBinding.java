package dev.verbena.dropin.object;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionQueueEx;
import org.jspecify.annotations.Nullable;

/** A completion queue and the program's struct for it; the context object of the queue. */
public final class CqBinding {
  private static final int POLLS_PER_YIELD = 64;

  private final long struct;
  private final int wcFlags;
  private @Nullable CompletionQueue queue;
  private int emptyPolls;

  /**
   * @param struct address of the struct ibv_cq_ex
   * @param wcFlags further fields that the cursor reads
   */
  public CqBinding(long struct, int wcFlags) {
    this.struct = struct;
    this.wcFlags = wcFlags;
  }

  public static CqBinding get(long handle) {
    return Handles.get(handle, HandleKind.CQ);
  }

  /** Sets the queue, which is created with this object as its context. */
  public void bind(CompletionQueue made) {
    queue = made;
  }

  public long struct() {
    return struct;
  }

  public CompletionQueue queue() {
    CompletionQueue present = queue;
    if (present == null) {
      throw new IllegalStateException("a completion queue is used before it is made");
    }
    return present;
  }

  /** The queue with a cursor. */
  public CompletionQueueEx cursor() {
    return (CompletionQueueEx) queue();
  }

  /** The queue with a cursor after polling has begun, which in C is not bound to a thread. */
  public CompletionQueueEx reading() {
    CompletionQueueEx present = cursor();
    present.resumePoll();
    return present;
  }

  /**
   * Notes the end of a poll. A program written for an adapter polls without pausing, as if it had
   * the processor to itself. If it has not, the thread that it waits for would run only when the
   * program's time slice is over. So now and then an unsuccessful poll yields the processor, rarely
   * enough not to matter when no other thread needs it. The count need not be exact.
   */
  @SuppressWarnings("ThreadPriorityCheck")
  public void polled(boolean found) {
    if (found) {
      emptyPolls = 0;
    } else if (++emptyPolls % POLLS_PER_YIELD == 0) {
      Thread.yield();
    }
  }

  /** Whether the cursor reads a field. */
  public boolean reads(int wcFlag) {
    return (wcFlags & wcFlag) != 0;
  }
}
