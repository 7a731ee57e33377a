package dev.verbena.verbs;

import java.util.List;

/**
 * An indirection table (struct ibv_rwq_ind_table; ibv_create_rwq_ind_table(3)), made by {@link
 * Context#createRwqIndTable}, which owns it: the lower bits of the hash of a frame are the index of
 * the work queue that receives it. {@link QpInitAttr#rxHash} gives a new queue pair such a table.
 */
public interface RwqIndTable extends AutoCloseable {
  /** The context. */
  Context context();

  /** Its entries; their number is a power of two, and a queue may appear more than once. */
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
   * Destroys the table; does nothing if it is already closed.
   *
   * @throws VerbsException EBUSY while a queue pair uses it
   */
  @Override
  void close();
}
