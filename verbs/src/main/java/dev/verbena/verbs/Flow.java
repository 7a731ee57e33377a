package dev.verbena.verbs;

/**
 * A steering rule of a queue pair (struct ibv_flow; S9.3), made by {@link QueuePair#createFlow}.
 */
public interface Flow extends AutoCloseable {
  /** The queue pair that receives what matches. */
  QueuePair qp();

  /** Whether it was closed. */
  boolean isClosed();

  /**
   * Removes the rule (ibv_destroy_flow). A frame that is being steered by another thread may still
   * arrive. Idempotent.
   */
  @Override
  void close();
}
