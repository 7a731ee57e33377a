package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/** Receives that several queue pairs take from (struct ibv_srq; S3.4). */
public interface SharedReceiveQueue extends AutoCloseable {
  /** The context. */
  Context context();

  /** The protection domain. */
  ProtectionDomain pd();

  /**
   * Posts a list of receives (ibv_post_srq_recv), as {@link QueuePair#postRecv}.
   *
   * @throws WorkRequestException ENOMEM if it is full, EINVAL for a bad receive
   */
  void postRecv(@Nullable RecvWr wr);

  /** The application's own object. */
  @Nullable Object srqContext();

  /** Number by which XRC requests name it (ibv_get_srq_num). */
  int srqNum();

  /** Present sizes and limit (ibv_query_srq). */
  SrqAttr query();

  /**
   * Arms the limit event (ibv_modify_srq with SRQ_LIMIT).
   *
   * @throws VerbsException EINVAL beyond max_wr
   */
  void modifyLimit(int limit);

  /**
   * Resizes the queue (ibv_modify_srq with MAX_WR).
   *
   * @throws VerbsException EINVAL below what is posted or armed, EOPNOTSUPP where it cannot be done
   */
  void modifyMaxWr(int maxWr);

  /**
   * Destroys the queue (ibv_destroy_srq).
   *
   * @throws VerbsException EBUSY while a queue pair uses it
   */
  void destroy();

  /** Whether it was closed. */
  boolean isClosed();

  /**
   * As destroy; nothing if it is closed already.
   *
   * @throws VerbsException EBUSY while a queue pair uses it
   */
  @Override
  void close();
}
