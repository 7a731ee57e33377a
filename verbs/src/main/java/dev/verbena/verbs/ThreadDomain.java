package dev.verbena.verbs;

/**
 * The caller's promise that only one thread at a time uses the objects created with it (struct
 * ibv_td): posting to such a queue pair or {@link WorkQueue}, and polling such a {@link
 * CompletionQueueEx}, takes no lock. Another thread may take over, provided that the previous one's
 * calls happen before its own in the sense of the Java memory model.
 *
 * <p>The promise covers every use of the object: even a state change by {@code modify} does not
 * wait for a thread that is posting. If it is broken, the software device behaves as follows. When
 * two threads post at once, a request may be lost or mixed with the other. A request posted while
 * another thread resets the queue pair may stay in it, and be sent or filled after it is connected
 * again. A batch between wrStart and wrComplete survives the reset, and wrComplete then follows the
 * new state. In all of these cases memory stays protected by its keys, and other queue pairs are
 * not affected. The same holds for work queues. Errors of the queue pair, destroying it and closing
 * the context do not count as use: they may happen at any time.
 */
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
   * Frees the domain; does nothing if it is already closed.
   *
   * @throws VerbsException EBUSY while a parent domain uses it
   */
  @Override
  void close();
}
