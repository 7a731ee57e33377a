package dev.verbena.verbs;

/** A steering rule of a queue pair (struct ibv_flow; S9.3). */
public interface Flow extends AutoCloseable {
  /** The queue pair that receives what matches. */
  QueuePair qp();

  /** Whether it was closed. */
  boolean isClosed();

  /** Removes the rule (ibv_destroy_flow). */
  @Override
  void close();
}
