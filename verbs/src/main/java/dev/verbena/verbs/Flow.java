package dev.verbena.verbs;

/** A steering rule of a queue pair (struct ibv_flow), made by {@link QueuePair#createFlow}. */
public interface Flow extends AutoCloseable {
  /** The context. */
  Context context();

  /** The queue pair that receives matching frames. */
  QueuePair qp();

  /**
   * Removes the rule (ibv_destroy_flow). A frame that is being steered by another thread may still
   * arrive.
   */
  void destroy();

  /** Whether it was closed. */
  boolean isClosed();

  /** Removes the rule; does nothing if it is already closed. */
  @Override
  void close();
}
