package dev.verbena.verbs;

/** The promise that one thread at a time uses the objects created with it (struct ibv_td). */
public interface ThreadDomain extends AutoCloseable {
  /** The context. */
  Context context();

  /**
   * Frees the domain (ibv_dealloc_td).
   *
   * @throws VerbsException EBUSY while a parent domain uses it
   */
  void dealloc();

  /** Whether the domain was closed. */
  boolean isClosed();

  /**
   * As dealloc; nothing if it is closed already.
   *
   * @throws VerbsException EBUSY while a parent domain uses it
   */
  @Override
  void close();
}
