package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A receive queue that several queue pairs share (struct ibv_srq). A message takes the oldest
 * receive when it starts, whichever queue pair it arrives at; the receive then belongs to that
 * queue pair, completes in its receive completion queue with its number, and is flushed if the
 * queue pair fails. Receives not taken outlive the queue pairs.
 *
 * <p>Its receives refer to memory of its own protection domain, which may differ from the queue
 * pairs' domain.
 */
public interface SharedReceiveQueue extends RecvTarget, AutoCloseable {
  /** The context. */
  Context context();

  /** The protection domain; memory for receives must be registered in it. */
  ProtectionDomain pd();

  /** Kind. */
  SrqType srqType();

  /** The XRC domain of type XRC; null otherwise. */
  @Nullable XrcDomain xrcd();

  /** The completion queue of the receives of type XRC; null otherwise. */
  @Nullable CompletionQueue cq();

  /**
   * Posts a list of receives (ibv_post_srq_recv), up to the first one that is refused, like {@link
   * QueuePair#postRecv}, but independently of any queue pair's state. Allocates nothing unless it
   * fails.
   *
   * @throws WorkRequestException ENOMEM if it holds max_wr receives, EINVAL for a bad receive; the
   *     exception names the receive that was refused, and those before it are posted
   * @throws ObjectClosedException if the queue is closed
   */
  @Override
  void postRecv(@Nullable RecvWr wr);

  /** The application's own object. */
  @Nullable Object srqContext();

  /**
   * The number by which XRC requests name it, 24 bits (ibv_get_srq_num).
   *
   * @throws VerbsException EOPNOTSUPP for type BASIC, which has none
   */
  int srqNum();

  /**
   * Current sizes and limit (ibv_query_srq). The limit is 0 unless an event is armed and has not
   * been raised yet.
   */
  SrqAttr query();

  /**
   * Changes the attributes that {@code mask} names (ibv_modify_srq), or nothing if it fails.
   *
   * <p>LIMIT arms {@link EventType#SRQ_LIMIT_REACHED}: one event is raised as soon as fewer
   * receives than the limit are posted, which may be at once; after that the limit is 0 until it is
   * set again. A limit of 0 disarms. MAX_WR resizes the queue; receives stay in it.
   *
   * @param attr new values
   * @param mask {@link SrqAttrMask} bits
   * @throws VerbsException EINVAL without a mask or with unknown bits, for a limit beyond max_wr,
   *     or a max_wr that is out of range, below the number of posted receives or below the armed
   *     limit; EOPNOTSUPP for MAX_WR if device_cap_flags lacks SRQ_RESIZE
   */
  void modify(SrqAttr attr, int... mask);

  /**
   * Arms the limit event, like {@link #modify} with LIMIT.
   *
   * @param limit SRQ_LIMIT_REACHED is raised when fewer receives remain; 0 for never
   */
  default void modifyLimit(int limit) {
    modify(new SrqAttr(0, 0, limit), SrqAttrMask.LIMIT);
  }

  /**
   * Resizes the queue, like {@link #modify} with MAX_WR.
   *
   * @param maxWr outstanding receives
   */
  default void modifyMaxWr(int maxWr) {
    modify(new SrqAttr(maxWr, 0, 0), SrqAttrMask.MAX_WR);
  }

  /**
   * Destroys the queue (ibv_destroy_srq). Posted receives are dropped without completions. Waits,
   * interruptibly, until all events taken have been acknowledged.
   *
   * @throws VerbsException EBUSY while a queue pair uses it; EINTR if the thread is interrupted
   *     while it waits, in which case the queue is unchanged and the thread's interrupt status
   *     stays set
   */
  void destroy();

  /** Whether it was closed. */
  boolean isClosed();

  /**
   * Acknowledges all events and destroys the queue; does nothing if it is already closed.
   *
   * @throws VerbsException EBUSY while a queue pair uses it
   */
  @Override
  void close();
}
