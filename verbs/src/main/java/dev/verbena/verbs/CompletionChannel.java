package dev.verbena.verbs;

import java.nio.channels.SelectionKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where the events of completion queues arrive (struct ibv_comp_channel). Several queues may share
 * one; their events are taken in order. Every event taken must be acknowledged with {@link
 * CompletionQueue#ackEvents}; those that {@link #checkPoll()} takes are so by themselves.
 *
 * <p>An event says that something was added after arming, and is raised once. So arm first, then
 * poll until the queue is empty, then wait: a completion that comes in between raises the event.
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
   * Takes the next event without waiting, and sees to its acknowledgement: the queue counts it
   * ({@link CompletionQueue#compEvents()}) and never waits for it when it ends. Arm the queue again
   * before you poll it.
   *
   * @return the completion queue that raised it; null if no event waits
   * @throws ObjectClosedException if the channel is closed
   */
  @Nullable CompletionQueue checkPoll();

  /**
   * As {@link #checkPoll()} if a selection found events here ({@link EventSource#isReady}), else
   * null.
   *
   * {@snippet :
   * channel.registerPoll(selector);
   * cq.reqNotify();
   * selector.select(
   *     key -> {
   *       if (channel.checkPoll(key) instanceof CompletionQueue ready) {
   *         ready.reqNotify();
   *         ready.poll(-1).forEach(this::handle);
   *       }
   *     });
   * }
   *
   * @param key any key; one of another channel is answered with null
   */
  default @Nullable CompletionQueue checkPoll(SelectionKey key) {
    return isReady(key) ? checkPoll() : null;
  }

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
