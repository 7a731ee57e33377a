package dev.verbena.verbs;

/** An XRC domain (struct ibv_xrcd; S7). */
public interface XrcDomain extends AutoCloseable {
  /** The context. */
  Context context();

  /** Whether it was closed. */
  boolean isClosed();

  /**
   * Closes the domain (ibv_close_xrcd).
   *
   * @throws VerbsException EBUSY while a queue pair or a shared receive queue uses it
   */
  @Override
  void close();
}
