package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Receives that several queue pairs take from (struct ibv_srq). A message takes the oldest receive
 * when it starts, whichever queue pair it comes to; the receive then belongs to that queue pair,
 * completes in its receive completion queue with its number, and is flushed when it fails. What no
 * queue pair has taken outlives all of them.
 *
 * <p>Its receives refer to memory of its own protection domain, which may differ from that of the
 * queue pairs.
 */
public interface SharedReceiveQueue extends RecvTarget, AutoCloseable {
  /** The context. */
  Context context();

  /** The protection domain, of which the memory of its receives must be. */
  ProtectionDomain pd();

  /** Kind. */
  SrqType srqType();

  /** The XRC domain of kind XRC; null otherwise. */
  @Nullable XrcDomain xrcd();

  /** Where the receives of kind XRC complete; null otherwise. */
  @Nullable CompletionQueue cq();

  /**
   * Posts a list of receives (ibv_post_srq_recv), up to the first that is refused, as {@link
   * QueuePair#postRecv}; no queue pair's state matters. Allocates nothing unless it fails.
   *
   * @throws WorkRequestException ENOMEM if it holds max_wr receives, EINVAL for a bad receive; it
   *     names the receive that was refused, and those before it are posted
   * @throws ObjectClosedException if the queue is closed
   */
  @Override
  void postRecv(@Nullable RecvWr wr);

  /** The application's own object. */
  @Nullable Object srqContext();

  /**
   * Number by which XRC requests name it: 24 bits. C has it as ibv_get_srq_num; a getter has no
   * "get" here.
   *
   * @throws VerbsException EOPNOTSUPP for kind BASIC, which has none
   */
  int srqNum();

  /**
   * Present sizes and limit (ibv_query_srq). The limit is 0 unless an event is armed and has not
   * come yet.
   */
  SrqAttr query();

  /**
   * Changes what {@code mask} names (ibv_modify_srq), or nothing if it fails.
   *
   * <p>LIMIT arms {@link EventType#SRQ_LIMIT_REACHED}: one event as soon as fewer receives than
   * that are posted, which may be at once; then the limit is 0 until it is set again. 0 disarms.
   * MAX_WR resizes the queue; receives stay in it.
   *
   * @param attr new values
   * @param mask {@link SrqAttrMask} bits
   * @throws VerbsException EINVAL without a mask or with unknown bits, for a limit beyond max_wr,
   *     or a max_wr that is out of range, below the number of posted receives or below the armed
   *     limit; EOPNOTSUPP for MAX_WR where device_cap_flags lacks SRQ_RESIZE
   */
  void modify(SrqAttr attr, int... mask);

  /**
   * Arms the limit event; as {@link #modify} with LIMIT.
   *
   * @param limit SRQ_LIMIT_REACHED is raised when fewer receives remain; 0 for never
   */
  default void modifyLimit(int limit) {
    modify(new SrqAttr(0, 0, limit), SrqAttrMask.LIMIT);
  }

  /**
   * Resizes the queue; as {@link #modify} with MAX_WR.
   *
   * @param maxWr outstanding receives
   */
  default void modifyMaxWr(int maxWr) {
    modify(new SrqAttr(maxWr, 0, 0), SrqAttrMask.MAX_WR);
  }

  /**
   * Destroys the queue (ibv_destroy_srq). Posted receives are dropped without completions. Waits
   * for events that were taken and not acknowledged, interruptibly.
   *
   * @throws VerbsException EBUSY while a queue pair uses it; EINTR if the thread is interrupted
   *     while it waits: the queue is then as it was, and the thread's interrupt status stays set
   */
  void destroy();

  /** Whether it was closed. */
  boolean isClosed();

  /**
   * As destroy, with all events acknowledged; nothing if it is closed already.
   *
   * @throws VerbsException EBUSY while a queue pair uses it
   */
  @Override
  void close();
}
