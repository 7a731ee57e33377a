package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A receive queue without a queue pair (struct ibv_wq; ibv_create_wq(3)), made by {@link
 * Context#createWq} and owned by its protection domain. Work queues are the entries of {@linkplain
 * RwqIndTable tables}, from which hashing queue pairs select the receiver of a frame. In
 * completions {@link WorkCompletion#qpNum()} is the number of the work queue instead of a queue
 * pair's.
 */
public interface WorkQueue extends RecvTarget, AutoCloseable {
  /** The context. */
  Context context();

  /** The protection domain; memory for receives must be registered in it. */
  ProtectionDomain pd();

  /** The completion queue of its receives. */
  CompletionQueue cq();

  /** Number, 24 bits, from the same range as queue pair numbers. */
  int wqNum();

  /** The number of outstanding receives granted, at least as many as requested. */
  int maxWr();

  /** The number of elements of a receive granted, at least as many as requested. */
  int maxSge();

  /** Current state. */
  WqState state();

  /** The application's own object. */
  @Nullable Object wqContext();

  /**
   * Changes the state (ibv_modify_wq): RESET to RDY, RDY to ERR, and any state to RESET, which
   * drops all receives and the queue's unpolled completions.
   *
   * @throws VerbsException EINVAL for another transition
   */
  void modify(WqState to);

  /**
   * Posts a list of receives (ibv_post_wq_recv), up to the first one that is refused, like {@link
   * QueuePair#postRecv}, in any state. Allocates nothing unless it fails.
   *
   * @throws WorkRequestException ENOMEM if it holds max_wr receives, EINVAL for a bad receive; the
   *     exception names the receive that was refused, and those before it are posted
   * @throws ObjectClosedException if the queue is closed
   */
  @Override
  void postRecv(@Nullable RecvWr wr);

  /**
   * Destroys the queue (ibv_destroy_wq). Posted receives are dropped without completions. Waits,
   * interruptibly, until all events taken have been acknowledged.
   *
   * @throws VerbsException EBUSY while a table contains it; EINTR if the thread is interrupted
   *     while it waits, in which case the queue is unchanged and the thread's interrupt status
   *     stays set
   */
  void destroy();

  /** Whether it was closed. */
  boolean isClosed();

  /**
   * Acknowledges all events and destroys the queue; does nothing if it is already closed.
   *
   * @throws VerbsException EBUSY while a table contains it
   */
  @Override
  void close();
}
