package dev.verbena.verbs;

import java.nio.channels.SelectionKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where the events of completion queues arrive (struct ibv_comp_channel). Several queues may share
 * one; their events are taken in order. Every event taken must be acknowledged with {@link
 * CompletionQueue#ackEvents}, except those taken by {@link #checkPoll()} or {@link
 * CompletionQueue#awaitNotification}, which acknowledge them themselves.
 *
 * <p>An event reports that a completion was added after arming, and is raised once. So arm first,
 * then poll until the queue is empty, then wait: a completion that arrives in between raises the
 * event.
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
   * Interruptible. Each event is returned to one of the waiting threads. A thread that waits does
   * not spin, and a virtual one releases its carrier.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   * @throws VerbsException if the device can raise no more events, such as an adapter that was
   *     removed
   * @throws ObjectClosedException if the channel is closed, or is closed while this thread waits:
   *     closing wakes all waiting threads
   */
  CompletionQueue getCqEvent() throws InterruptedException;

  /**
   * Returns the completion queue of the next event, or null if none arrives in time. With a zero
   * timeout it never waits, as with O_NONBLOCK.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   * @throws VerbsException as {@link #getCqEvent()}
   * @throws ObjectClosedException as {@link #getCqEvent()}
   */
  @Nullable CompletionQueue getCqEvent(Duration timeout) throws InterruptedException;

  /**
   * Takes the next event without waiting, and acknowledges it: the queue counts it ({@link
   * CompletionQueue#compEvents()}), and destroying the queue does not wait for it. Arm the queue
   * again before you poll it.
   *
   * @return the completion queue that raised it; null if no event is waiting
   * @throws ObjectClosedException if the channel is closed
   */
  @Nullable CompletionQueue checkPoll();

  /**
   * Calls {@link #checkPoll()} if a selection found events here ({@link EventSource#isReady});
   * otherwise returns null.
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
   * @param key any key; for a key of another channel the result is null
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
   * Destroys the channel; does nothing if it is already closed.
   *
   * @throws VerbsException EBUSY while a completion queue uses it
   */
  @Override
  void close();
}
