package dev.verbena.verbs;

/**
 * An XRC domain as one context has opened it (struct ibv_xrcd). Requests that come to an XRC_RECV
 * queue pair of the domain name one of its XRC shared receive queues, no matter which context made
 * either.
 *
 * <p>Contexts share a domain that is tied to a file. <b>On the software device, they share it
 * within one process only:</b> every process has a device of its own, as contexts on two adapters
 * would.
 */
public interface XrcDomain extends AutoCloseable {
  /** The context. */
  Context context();

  /** Whether it was closed. */
  boolean isClosed();

  /**
   * Closes the domain for this context (ibv_close_xrcd); it ends when nobody has it open.
   * Idempotent.
   *
   * @throws VerbsException EBUSY while a queue pair or a shared receive queue that was made with it
   *     exists
   */
  @Override
  void close();
}
