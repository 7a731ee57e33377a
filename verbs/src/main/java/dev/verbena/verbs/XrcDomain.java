package dev.verbena.verbs;

/**
 * An XRC domain as opened by one context (struct ibv_xrcd). Requests to an XRC_RECV queue pair of
 * the domain name one of its XRC shared receive queues, no matter which context created either.
 *
 * <p>Contexts share a domain that is tied to a file. <b>On the software device, they share it
 * within one process only:</b> each process has a device of its own, as if they used different
 * adapters.
 */
public interface XrcDomain extends AutoCloseable {
  /** The context. */
  Context context();

  /** Whether it was closed. */
  boolean isClosed();

  /**
   * Closes the domain for this context (ibv_close_xrcd); the domain ends when no context has it
   * open. Idempotent.
   *
   * @throws VerbsException EBUSY while a queue pair or a shared receive queue created with it
   *     exists
   */
  @Override
  void close();
}
