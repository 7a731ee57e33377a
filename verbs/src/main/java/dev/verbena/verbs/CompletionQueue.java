package dev.verbena.verbs;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where finished work requests are reported (struct ibv_cq). */
public interface CompletionQueue extends AutoCloseable {
  /** The context. */
  Context context();

  /** Entries that fit: at least what was asked for. */
  int cqe();

  /** The application's own object. */
  @Nullable Object cqContext();

  /** The channel of its events, or null. */
  @Nullable CompletionChannel channel();

  /**
   * Takes completions (ibv_poll_cq). Never blocks; allocates nothing. Polling also drives the
   * device, so an application that spins here needs no other thread.
   *
   * @param wc filled from index 0; every element that is filled must be an object
   * @return how many were filled; fewer than {@code wc.length} means that the queue was emptied
   * @throws VerbsException EINVAL if an element to be filled is null: nothing is taken then; EIO
   *     once the queue has overrun and its remaining entries were taken
   * @throws ObjectClosedException if the queue is closed
   */
  default int poll(WorkCompletion[] wc) {
    return poll(wc.length, wc);
  }

  /**
   * As {@link #poll(WorkCompletion[])} for the first {@code numEntries} elements.
   *
   * @throws VerbsException EINVAL unless 0 ≤ numEntries ≤ wc.length; as {@link
   *     #poll(WorkCompletion[])}
   * @throws ObjectClosedException if the queue is closed
   */
  int poll(int numEntries, WorkCompletion[] wc);

  /**
   * Takes one completion; as {@link #poll(WorkCompletion[])} for one.
   *
   * @param wc filled if there is a completion, left as it is if not
   * @return false if there was none
   * @throws VerbsException EIO once the queue has overrun and its remaining entries were taken
   * @throws ObjectClosedException if the queue is closed
   */
  boolean poll(WorkCompletion wc);

  /**
   * Takes completions as new objects, for programs that need not count them.
   *
   * @param limit most to take, 0 for none, or -1 to empty the queue
   * @return the completions, in order; empty if there is none
   * @throws VerbsException EINVAL for another negative limit; as {@link #poll(WorkCompletion)} if
   *     none was taken
   */
  default List<WorkCompletion> poll(int limit) {
    return PolledList.of(this, limit);
  }

  /**
   * Asks for an event when the next completion is added (ibv_req_notify_cq). Counts once;
   * completions that wait already raise none. Without a channel it has no effect.
   *
   * @param solicitedOnly only for a solicited receive or for any completion with an error; "any"
   *     stays in force if it was asked for before
   * @throws ObjectClosedException if the queue is closed
   */
  void reqNotify(boolean solicitedOnly);

  /** As {@link #reqNotify(boolean)} for any completion. */
  default void reqNotify() {
    reqNotify(false);
  }

  /**
   * Acknowledges events taken from the channel (ibv_ack_cq_events).
   *
   * @throws VerbsException EINVAL if the count is negative, or more than were taken and not yet
   *     acknowledged: nothing is changed then
   */
  void ackEvents(int count);

  /**
   * How many events of this queue {@link CompletionChannel#checkPoll()} has taken. The queue counts
   * them as acknowledged when it ends; {@link #ackEvents} is not for them.
   */
  long compEvents();

  /**
   * Changes the number of entries, keeping those that wait (ibv_resize_cq).
   *
   * @throws VerbsException EINVAL for a size out of range or below what waits, EOPNOTSUPP where it
   *     cannot be done
   */
  void resize(int cqe);

  /**
   * Moderates events (ibv_modify_cq): one that was asked for is raised when so many of the
   * completions that it is for have been added, or when the first of them has waited so long,
   * whichever is first. A count of 0 or 1, or a period of 0, end it; so it is in the beginning. An
   * event that is waiting at the time of this call is raised.
   *
   * @param count completions that an event may wait for, 0 to maxCqModerationCount
   * @param periodMicros microseconds that an event may wait, 0 to maxCqModerationPeriod; the
   *     software device adds up to 0.1 ms
   * @throws VerbsException EINVAL beyond the device's limits, EOPNOTSUPP where it cannot be done
   */
  void modify(int count, int periodMicros);

  /**
   * Destroys the queue (ibv_destroy_cq): waits, interruptibly, until events taken were
   * acknowledged.
   *
   * @throws VerbsException EBUSY while a queue pair, a shared receive queue or a work queue uses
   *     it; EINTR if the thread is interrupted while it waits: the queue is then as it was, and the
   *     thread's interrupt status stays set
   */
  void destroy();

  /** Whether the queue was closed. */
  boolean isClosed();

  /**
   * As destroy, with the events that were taken acknowledged; nothing if it is closed already.
   *
   * @throws VerbsException EBUSY while a queue pair, a shared receive queue or a work queue uses it
   */
  @Override
  void close();
}
