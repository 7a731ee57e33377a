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
import java.util.Collection;
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
 * <p>A thread that waits polls and spins for 2 µs, then polls and yields up to 128 times, which
 * takes about 0.1 ms if nobody else wants the processor. Then it arms the queue, polls once more so
 * that no event is missed, and sleeps until the queue's completion channel has an event. It sleeps
 * earlier if another thread keeps the processor for a time slice, and if its waits usually last
 * longer; so threads that wait do not take the processors from those they wait for. A queue without
 * a channel has no event that could end a sleep, and is polled between naps of a quarter of the
 * time waited so far, 20 µs to 1 ms: give a queue a channel ({@link
 * dev.verbena.verbs.Context#createCompChannel()}) if threads wait there for long. A virtual thread
 * that sleeps releases its carrier. It keeps it while it spins, for these 2 µs, and offers it to
 * other virtual threads whenever it yields.
 *
 * <p>Any number of threads may wait at once, at one queue too, and each completion goes to one of
 * them. They take and acknowledge the events of this queue only; those of other queues stay in the
 * channel for the threads that wait for them. Each event of a channel wakes all threads that sleep
 * there, and those that find nothing sleep on: give queues at which many threads wait channels of
 * their own. A completion is found up to 20 ms late if somebody else takes the queue's event:
 * another thread that waits at this queue, or a loop of {@link CompletionChannel#getCqEvent()} or
 * {@link CqPoller} at its channel. As with all that polls after arming, the queue may stay armed,
 * and an event in the channel whose completion has been taken: a loop at that channel then wakes
 * once and finds nothing.
 *
 * <p>Waiting allocates nothing as long as it polls, except when a thread waits for the first time.
 * How often to yield is learned for each thread, at all queues together; so a virtual thread for
 * each request learns nothing, and starts at 128 times.
 *
 * <p>{@link CqPoller} is a loop that handles asynchronous events as well. It returns completions
 * with an error like others, where these methods throw them.
 *
 * <p>A thread that is interrupted gets a VerbsException with EINTR and keeps its interrupt status,
 * because these methods wait within a program's ordinary course; {@link
 * CompletionQueue#awaitNotification} and {@link CompletionChannel#getCqEvent()} throw
 * InterruptedException.
 */
public final class Completions {
  /** An event may have been taken by another thread, so nobody relies on one for longer. */
  private static final long SLEEP_NANOS = 20_000_000;

  private static final ThreadLocal<Waiting> WAITING = ThreadLocal.withInitial(Waiting::new);
  private static final Waiting.Sleep SLEEP = Completions::sleep;

  /**
   * Waits for the next completion.
   *
   * @param cq where it is expected
   * @param timeout how long to wait at most; 0 or less polls once, and {@code
   *     ChronoUnit.FOREVER.getDuration()} waits for as long as it takes
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
    requireSuccess(cq, wc);
  }

  /**
   * Waits for the next {@code count} completions.
   *
   * @param cq where they are expected
   * @param count how many, at least 0
   * @param timeout how long to wait for all of them together at most
   * @return new objects, in the order of the queue, whose status is SUCCESS
   * @throws WcException as soon as a completion has an error. Those before it have been taken from
   *     the queue, and are lost; those behind it not
   * @throws VerbsException EINVAL if the count is negative; ETIMEDOUT if fewer come in time;
   *     otherwise as {@link #await(CompletionQueue, Duration)}. Those that have come are lost
   * @throws ObjectClosedException if the queue is closed, or is closed meanwhile
   */
  public static List<WorkCompletion> awaitAll(CompletionQueue cq, int count, Duration timeout) {
    List<WorkCompletion> all = new ArrayList<>();
    awaitAll(cq, all, count, timeout);
    return all;
  }

  /**
   * Waits for the next {@code count} completions, and loses none if that fails; otherwise like
   * {@link #awaitAll(CompletionQueue, int, Duration)}.
   *
   * @param into gets each completion that is taken from the queue, in order; also the one with an
   *     error, as the last one
   */
  public static void awaitAll(
      CompletionQueue cq, Collection<? super WorkCompletion> into, int count, Duration timeout) {
    if (count < 0) {
      throw new VerbsException("awaitAll", Errno.EINVAL, "count " + count + " is negative");
    }
    long until = Waiting.until(timeout);
    for (int done = 0; done < count; done++) {
      WorkCompletion wc = new WorkCompletion();
      if (!next("awaitAll", cq, wc, until)) {
        throw tooLate("awaitAll", done + " of " + count + " completions", cq, timeout);
      }
      into.add(wc);
      requireSuccess(cq, wc);
    }
  }

  /** Waits for a completion; false if the time is up. */
  private static boolean next(String function, CompletionQueue cq, WorkCompletion wc, long until) {
    return cq.poll(wc) || WAITING.get().next(function, cq, wc, false, until, SLEEP);
  }

  private static void requireSuccess(CompletionQueue cq, WorkCompletion wc) {
    if (!wc.isSuccess()) {
      throw new WcException(wc, cq);
    }
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
            + " of "
            + cq.context().device().name()
            + ": QueuePair.dump() says what a queue pair waits for; a send that is neither"
            + " SIGNALED nor of a queue pair with sqSigAll has no completion if it succeeds");
  }

  private static void sleep(CompletionQueue cq, long until) {
    if (cq.channel() == null) {
      WAITING.get().nap(until);
      return;
    }
    try {
      cq.awaitNotification(Duration.ofNanos(Math.min(Waiting.left(until), SLEEP_NANOS)));
    } catch (InterruptedException e) {
      // The next round of waiting says so.
      Thread.currentThread().interrupt();
    }
  }

  private Completions() {}
}
