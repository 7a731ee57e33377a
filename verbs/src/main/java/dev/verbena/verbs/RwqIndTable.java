package dev.verbena.verbs;

import java.util.List;

/**
 * An indirection table (struct ibv_rwq_ind_table; ibv_create_rwq_ind_table(3)), made by {@link
 * Context#createRwqIndTable}, which owns it: the lower bits of the hash of a frame are the index of
 * the work queue that receives it. A queue pair is made with one by {@link QpInitAttr#rxHash}.
 */
public interface RwqIndTable extends AutoCloseable {
  /** The context. */
  Context context();

  /** Its entries: a power of two of them, with repetitions. */
  List<WorkQueue> wqs();

  /**
   * Destroys the table (ibv_destroy_rwq_ind_table).
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
