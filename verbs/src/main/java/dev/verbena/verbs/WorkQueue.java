package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A receive queue without a queue pair (struct ibv_wq; ibv_create_wq(3)), made by {@link
 * Context#createWq} and owned by its protection domain. It is an entry of {@linkplain RwqIndTable
 * tables}, by which queue pairs that hash choose who receives a frame. Completions name it where
 * they otherwise name the queue pair: {@link WorkCompletion#qpNum()} is its number.
 */
public interface WorkQueue extends RecvTarget, AutoCloseable {
  /** The context. */
  Context context();

  /** The protection domain, of which the memory of its receives must be. */
  ProtectionDomain pd();

  /** Where its receives complete. */
  CompletionQueue cq();

  /** Number: 24 bits, of the same range as those of queue pairs. */
  int wqNum();

  /** Outstanding receives that were granted, at least what was asked for. */
  int maxWr();

  /** Elements of a receive that were granted, at least what was asked for. */
  int maxSge();

  /** Present state. */
  WqState state();

  /** The application's own object. */
  @Nullable Object wqContext();

  /**
   * Changes the state (ibv_modify_wq): RESET to RDY, RDY to ERR, and any to RESET, which drops all
   * receives, and the completions of the queue that were not polled.
   *
   * @throws VerbsException EINVAL for another way
   */
  void modify(WqState to);

  /**
   * Posts a list of receives (ibv_post_wq_recv), up to the first that is refused, as {@link
   * QueuePair#postRecv}, in any state. Allocates nothing unless it fails.
   *
   * @throws WorkRequestException ENOMEM if it holds max_wr receives, EINVAL for a bad receive; it
   *     names the receive that was refused, and those before it are posted
   * @throws ObjectClosedException if the queue is closed
   */
  @Override
  void postRecv(@Nullable RecvWr wr);

  /**
   * Destroys the queue (ibv_destroy_wq). Posted receives are dropped without completions. Waits for
   * events that were taken and not acknowledged, interruptibly.
   *
   * @throws VerbsException EBUSY while a table has it; EINTR if the thread is interrupted while it
   *     waits: the queue is then as it was, and the thread's interrupt status stays set
   */
  void destroy();

  /** Whether it was closed. */
  boolean isClosed();

  /**
   * As destroy, with all events acknowledged; nothing if it is closed already.
   *
   * @throws VerbsException EBUSY while a table has it
   */
  @Override
  void close();
}
