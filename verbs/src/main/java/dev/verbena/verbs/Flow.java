package dev.verbena.verbs;

/** A steering rule of a queue pair (struct ibv_flow), made by {@link QueuePair#createFlow}. */
public interface Flow extends AutoCloseable {
  /** The context. */
  Context context();

  /** The queue pair that receives what matches. */
  QueuePair qp();

  /**
   * Removes the rule (ibv_destroy_flow). A frame that is being steered by another thread may still
   * arrive.
   */
  void destroy();

  /** Whether it was closed. */
  boolean isClosed();

  /** As destroy; nothing if it is closed already. */
  @Override
  void close();
}
