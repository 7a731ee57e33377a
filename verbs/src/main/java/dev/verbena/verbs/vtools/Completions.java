package dev.verbena.verbs.vtools;

import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Waits for completions, in one line:
 *
 * {@snippet :
 * qp.postSend(wr);
 * Completions.await(cq, Duration.ofSeconds(1));
 * }
 *
 * <p>A completion with an error is thrown as {@link WcException}, which says what has failed and
 * what the usual cause is. So what these methods return has been successful.
 *
 * <p>A thread that waits polls and spins for 2 µs, then polls and yields, and after at most 100 µs
 * arms the queue, polls once more so that no event is missed, and sleeps until the queue's
 * completion channel has an event. It sleeps earlier if a yield shows that another thread wants the
 * processor, and if its waits usually last longer; so threads that wait do not take the processors
 * from those they wait for. A queue without a channel has no event that could end a sleep, and is
 * polled between naps of a quarter of the time waited so far, 20 µs to 1 ms: give a queue a channel
 * ({@link dev.verbena.verbs.Context#createCompChannel()}) if threads wait there for long.
 *
 * <p>Any number of threads may wait at once, at one queue too, and each completion goes to one of
 * them. They take and acknowledge the events of the queue's channel. Threads that wait at several
 * queues with one channel may take each other's events and find their completions up to 20 ms late,
 * as may several threads at one queue.
 *
 * <p>Waiting allocates nothing as long as it polls. {@link CqPoller} is a loop that handles
 * asynchronous events as well.
 */
public final class Completions {
  /** Events may have been taken by other threads, so nobody relies on them for longer. */
  private static final long SLEEP_NANOS = 20_000_000;

  private static final ThreadLocal<Waiting> WAITING = ThreadLocal.withInitial(Waiting::new);
  private static final Waiting.Sleep SLEEP = Completions::sleep;

  /**
   * Waits for the next completion.
   *
   * @param cq where it is expected
   * @param timeout how long to wait at most; 0 or less polls once
   * @return a new object, whose status is SUCCESS
   * @throws WcException if the completion has an error
   * @throws VerbsException ETIMEDOUT if none comes in time; EINTR if the thread is interrupted
   *     while it waits, whose interrupt status stays set; EIO as for {@link
   *     CompletionQueue#poll(WorkCompletion)}
   * @throws ObjectClosedException if the queue is closed, or is closed meanwhile
   */
  public static WorkCompletion await(CompletionQueue cq, Duration timeout) {
    WorkCompletion wc = new WorkCompletion();
    await(cq, wc, timeout);
    return wc;
  }

  /**
   * Waits for the next completion, without allocating an object for it; otherwise like {@link
   * #await(CompletionQueue, Duration)}.
   *
   * @param wc filled, also if the completion has an error; unchanged if none comes in time
   */
  public static void await(CompletionQueue cq, WorkCompletion wc, Duration timeout) {
    if (!next("await", cq, wc, Waiting.until(timeout))) {
      throw tooLate("await", "no completion", cq, timeout);
    }
  }

  /**
   * Waits for the next {@code count} completions.
   *
   * @param cq where they are expected
   * @param count how many, at least 0
   * @param timeout how long to wait for all of them together at most
   * @return new objects, in the order of the queue, whose status is SUCCESS
   * @throws WcException as soon as a completion has an error. Those before it have been taken from
   *     the queue, those behind it not
   * @throws VerbsException EINVAL if the count is negative; ETIMEDOUT if fewer come in time, which
   *     have been taken from the queue; otherwise as {@link #await(CompletionQueue, Duration)}
   * @throws ObjectClosedException if the queue is closed, or is closed meanwhile
   */
  public static List<WorkCompletion> awaitAll(CompletionQueue cq, int count, Duration timeout) {
    if (count < 0) {
      throw new VerbsException("awaitAll", Errno.EINVAL, "count " + count + " is negative");
    }
    long until = Waiting.until(timeout);
    List<WorkCompletion> all = new ArrayList<>();
    while (all.size() < count) {
      WorkCompletion wc = new WorkCompletion();
      if (!next("awaitAll", cq, wc, until)) {
        throw tooLate("awaitAll", all.size() + " of " + count + " completions", cq, timeout);
      }
      all.add(wc);
    }
    return all;
  }

  /** Waits for a successful completion; false if the time is up. */
  private static boolean next(String function, CompletionQueue cq, WorkCompletion wc, long until) {
    if (!cq.poll(wc) && !WAITING.get().next(function, cq, wc, false, until, SLEEP)) {
      return false;
    }
    if (!wc.isSuccess()) {
      throw new WcException(wc, cq);
    }
    return true;
  }

  private static VerbsException tooLate(
      String function, String came, CompletionQueue cq, Duration timeout) {
    return new VerbsException(
        function,
        Errno.ETIMEDOUT,
        came
            + " within "
            + timeout.toString().substring(2).toLowerCase(Locale.ROOT)
            + " at "
            + cq
            + ": QueuePair.dump() says what a queue pair waits for; a send that is neither"
            + " SIGNALED nor of a queue pair with sqSigAll has no completion if it succeeds");
  }

  private static void sleep(CompletionQueue cq, long until) {
    CompletionChannel channel = cq.channel();
    if (channel == null) {
      WAITING.get().nap(until);
      return;
    }
    try {
      long nanos = Math.min(Waiting.left(until), SLEEP_NANOS);
      CompletionQueue raised = channel.getCqEvent(Duration.ofNanos(nanos));
      if (raised != null) {
        acknowledge(raised);
      }
    } catch (InterruptedException e) {
      // The next round of waiting says so.
      Thread.currentThread().interrupt();
    }
  }

  private static void acknowledge(CompletionQueue raised) {
    try {
      raised.ackEvents(1);
    } catch (ObjectClosedException closed) {
      // Closing it has acknowledged its events. If it is the awaited queue, the next poll says so.
    }
  }

  private Completions() {}
}
