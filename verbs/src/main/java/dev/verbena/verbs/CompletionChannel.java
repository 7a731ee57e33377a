package dev.verbena.verbs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where the events of completion queues arrive (struct ibv_comp_channel). Several queues may share
 * one; their events are taken in order. Every event taken must be acknowledged with {@link
 * CompletionQueue#ackEvents}.
 *
 * <p>An event tells that something was added after arming, and counts once. So arm first, then poll
 * until the queue is empty, then wait: a completion that comes in between raises the event.
 *
 * {@snippet :
 * while (running) {
 *   cq.reqNotify();
 *   while (cq.poll(wc)) {
 *     handle(wc.orThrow());
 *   }
 *   channel.getCqEvent().ackEvents(1);
 * }
 * }
 */
public interface CompletionChannel extends EventSource, AutoCloseable {
  /** The context. */
  Context context();

  /**
   * Waits for the next event, and returns the completion queue that raised it (ibv_get_cq_event).
   * Interruptible. Each event goes to one of the threads that wait.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   * @throws ObjectClosedException if the channel is closed, or was while this thread waited: close
   *     wakes all who wait
   */
  CompletionQueue getCqEvent() throws InterruptedException;

  /**
   * The completion queue of the next event, or null if none came in time; a zero timeout never
   * waits, as with O_NONBLOCK.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   * @throws ObjectClosedException as {@link #getCqEvent()}
   */
  @Nullable CompletionQueue getCqEvent(Duration timeout) throws InterruptedException;

  /**
   * Destroys the channel (ibv_destroy_comp_channel).
   *
   * @throws VerbsException EBUSY while a completion queue uses it
   */
  void destroy();

  /** Whether the channel was closed. */
  boolean isClosed();

  /**
   * As destroy; nothing if it is closed already.
   *
   * @throws VerbsException EBUSY while a completion queue uses it
   */
  @Override
  void close();
}
