package dev.verbena.verbs;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue in which finished work requests are reported (struct ibv_cq). */
public interface CompletionQueue extends AutoCloseable {
  /** The context. */
  Context context();

  /** The capacity in entries: at least what was requested. */
  int cqe();

  /** The application's own object. */
  @Nullable Object cqContext();

  /** The channel of its events, or null. */
  @Nullable CompletionChannel channel();

  /**
   * Takes completions (ibv_poll_cq). Never blocks and allocates nothing. Polling also drives a
   * software device, so an application that polls in a loop needs no other thread of it.
   *
   * <p>What a request has written into this end's memory, as the message of a receive, the data of
   * a WRITE with immediate data or the result of a READ, is there before its completion is: the
   * writing happens before the poll that returns the completion, in whichever thread. With a
   * receive, so is what the peer's WRITEs have written that were posted before, on the same queue
   * pair.
   *
   * @param wc filled from index 0; elements to be filled must not be null
   * @return the number of elements filled; fewer than {@code wc.length} means that the queue is now
   *     empty
   * @throws VerbsException EINVAL if an element to be filled is null, in which case nothing is
   *     taken; EIO once the queue has overrun and its remaining entries have been taken. Drivers of
   *     adapters may say so by the asynchronous event CQ_ERR only, or not at all
   * @throws ObjectClosedException if the queue is closed
   */
  default int poll(WorkCompletion[] wc) {
    return poll(wc.length, wc);
  }

  /**
   * Takes completions into the first {@code numEntries} elements; otherwise like {@link
   * #poll(WorkCompletion[])}.
   *
   * @throws VerbsException EINVAL unless 0 ≤ numEntries ≤ wc.length; as {@link
   *     #poll(WorkCompletion[])}
   * @throws ObjectClosedException if the queue is closed
   */
  int poll(int numEntries, WorkCompletion[] wc);

  /**
   * Takes one completion; otherwise like {@link #poll(WorkCompletion[])}.
   *
   * @param wc filled if there is a completion, otherwise unchanged
   * @return false if there was none
   * @throws VerbsException EIO once the queue has overrun and its remaining entries have been taken
   * @throws ObjectClosedException if the queue is closed
   */
  boolean poll(WorkCompletion wc);

  /**
   * Takes completions as new objects, for programs that do not mind allocating.
   *
   * @param limit how many to take at most; 0 for none, -1 to empty the queue
   * @return the completions, in order; empty if there is none
   * @throws VerbsException EINVAL for another negative limit; if none was taken, as {@link
   *     #poll(WorkCompletion)}
   */
  default List<WorkCompletion> poll(int limit) {
    return PolledList.of(this, limit);
  }

  /**
   * Requests an event when the next completion is added (ibv_req_notify_cq). The request is good
   * for one event; completions already in the queue raise none. If the queue has overrun, or does
   * so now, a software device raises the event, and the next poll that finds nothing tells of it.
   * Has no effect without a channel.
   *
   * @param solicitedOnly notify only of a solicited receive or of a completion with an error; an
   *     earlier request for any completion stays in force
   * @throws ObjectClosedException if the queue is closed
   */
  void reqNotify(boolean solicitedOnly);

  /** Requests an event for any completion; see {@link #reqNotify(boolean)}. */
  default void reqNotify() {
    reqNotify(false);
  }

  /**
   * Waits for an event of this queue, takes it from the channel and acknowledges it, as {@link
   * CompletionChannel#checkPoll()} does; events of other queues stay in the channel. Arm the queue
   * first, and then poll it once more. libibverbs has no such call.
   *
   * <p>An event says that a completion was added, not that one still waits: another thread may have
   * polled it. Another thread may also take the event, here or by {@link
   * CompletionChannel#getCqEvent()}; this one then goes on waiting, although something has
   * completed. Each event of a channel wakes all who wait here for any of its queues, so give many
   * queues with a waiting thread each a channel each.
   *
   * @param timeout how long to wait at most; 0 or less does not wait
   * @return false if none comes in time
   * @throws VerbsException EINVAL if the queue has no channel; another error number if the device
   *     can raise no more events, such as an adapter that was removed
   * @throws InterruptedException if the thread is interrupted while it waits
   * @throws ObjectClosedException if the queue or its channel is closed, or is closed while this
   *     thread waits
   */
  boolean awaitNotification(Duration timeout) throws InterruptedException;

  /**
   * Acknowledges events taken from the channel (ibv_ack_cq_events).
   *
   * @throws VerbsException EINVAL if the count is negative or exceeds the number of unacknowledged
   *     events, in which case nothing changes
   */
  void ackEvents(int count);

  /**
   * The number of events of this queue that {@link CompletionChannel#checkPoll()} or {@link
   * #awaitNotification} has taken. They count as acknowledged when the queue is destroyed; do not
   * pass them to {@link #ackEvents}.
   */
  long compEvents();

  /**
   * Changes the capacity and keeps the waiting entries (ibv_resize_cq).
   *
   * @throws VerbsException EINVAL for a size that is out of range or less than the number of
   *     waiting entries, EOPNOTSUPP if the device cannot resize
   */
  void resize(int cqe);

  /**
   * Moderates events (ibv_modify_cq): a requested event is raised when {@code count} matching
   * completions have been added, or {@code periodMicros} after the first of them, whichever comes
   * first. A count of 0 or 1, or a period of 0, turns moderation off, which is the default. An
   * event pending at the time of this call is raised.
   *
   * @param count completions to collect before the event, 0 to maxCqModerationCount
   * @param periodMicros microseconds by which an event may be delayed, 0 to maxCqModerationPeriod;
   *     the software device adds up to 0.1 ms
   * @throws VerbsException EINVAL beyond the device's limits, EOPNOTSUPP if the device cannot
   *     moderate
   */
  void modify(int count, int periodMicros);

  /**
   * Destroys the queue (ibv_destroy_cq): waits, interruptibly, until all events taken have been
   * acknowledged.
   *
   * @throws VerbsException EBUSY while a queue pair, a shared receive queue or a work queue uses
   *     it; EINTR if the thread is interrupted while it waits, in which case the queue is unchanged
   *     and the thread's interrupt status stays set
   */
  void destroy();

  /** Whether the queue was closed. */
  boolean isClosed();

  /**
   * Acknowledges the events taken and destroys the queue; does nothing if it is already closed. An
   * event of the queue that still waits in its channel is removed, so nobody gets it afterwards.
   *
   * @throws VerbsException EBUSY while a queue pair, a shared receive queue or a work queue uses it
   */
  @Override
  void close();
}
