package dev.verbena.verbs;

/**
 * The promise that one thread at a time uses the objects created with it (struct ibv_td): posting
 * to such a queue pair or {@link WorkQueue}, and polling such a {@link CompletionQueueEx}, takes no
 * lock. The thread may change, if one hands over to the next as the Java memory model wants it.
 *
 * <p>The promise covers everything that is done with the object: a state change by {@code modify}
 * too does not wait for a thread that is posting. What happens if it is broken, in the software
 * device: of requests that two threads post at once, one may be lost or have parts of the other; a
 * request that is being posted while another thread resets the queue pair may stay in it, and be
 * sent or filled after it is connected again; a batch between wrStart and wrComplete survives the
 * reset, and wrComplete then goes by the new state. Memory stays protected by its keys in all of
 * these cases, and other queue pairs are not affected. The same holds for work queues. Errors of
 * the queue pair, destroying it and closing the context do not count as use: they may come at any
 * time.
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
   * As dealloc; nothing if it is closed already.
   *
   * @throws VerbsException EBUSY while a parent domain uses it
   */
  @Override
  void close();
}
