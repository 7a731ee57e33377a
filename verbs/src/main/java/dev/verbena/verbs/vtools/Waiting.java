package dev.verbena.verbs.vtools;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * How a thread waits for a completion: it polls and spins, then polls and offers its processor to
 * others, and then sleeps, having armed the queue and polled once more, so that no wake-up is lost.
 *
 * <p>How often it yields before it sleeps, it learns ({@link YieldLimit}). Yields are counted, and
 * not their time, because the time belongs to the others: among threads that all wait in this way,
 * a yield takes as long as those that have work need for it.
 *
 * <p>For one thread at a time. Polling and spinning allocate nothing.
 */
final class Waiting {
  /** A point in time that is never reached. */
  static final long NEVER = Long.MAX_VALUE;

  /** Beyond a century the clock's values could no longer be compared. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** So long a thread spins before it offers its processor. */
  private static final long SPINNING_NANOS = 2_000;

  /**
   * A yield that takes longer has met a thread that keeps the processor for a time slice. This is
   * Linux' shortest.
   */
  private static final long SLICE_NANOS = 700_000;

  private static final long SHORTEST_NAP_NANOS = 20_000;
  private static final long LONGEST_NAP_NANOS = 1_000_000;

  /** A nap lasts as long as what has been waited so far, divided by this. */
  private static final int NAPS = 4;

  /** Sleeps until the queue has raised an event, or may have, or the time is up. */
  interface Sleep {
    void sleep(CompletionQueue cq, long until);
  }

  private final YieldLimit limit = new YieldLimit();

  /** How often this wait has yielded. */
  private int yields;

  /** Whether a yield of this wait has taken a time slice. */
  private boolean crowded;

  private long begun;

  /** The point in time, of System.nanoTime(), that is {@code timeout} from now. */
  static long until(Duration timeout) {
    Duration notNegative = timeout.isNegative() ? Duration.ZERO : timeout;
    return System.nanoTime()
        + (notNegative.compareTo(LONGEST) < 0 ? notNegative : LONGEST).toNanos();
  }

  static boolean isOver(long until) {
    return until != NEVER && System.nanoTime() - until >= 0;
  }

  /** What is left until then in nanoseconds, at least 0. */
  static long left(long until) {
    return until == NEVER ? NEVER : Math.max(0, until - System.nanoTime());
  }

  static void requireNotInterrupted(String function) {
    if (Thread.currentThread().isInterrupted()) {
      throw new VerbsException(function, Errno.EINTR, "interrupted while waiting for completions");
    }
  }

  /**
   * Waits for the next completion, after a poll that found none.
   *
   * @param function named by the exception
   * @param wc filled
   * @param solicitedOnly how the queue is armed
   * @param until as {@link #until}, or {@link #NEVER}
   * @return false if the time is up
   * @throws VerbsException EINTR if the thread is interrupted, whose interrupt status stays set
   */
  boolean next(
      String function,
      CompletionQueue cq,
      WorkCompletion wc,
      boolean solicitedOnly,
      long until,
      Sleep sleep) {
    begun = System.nanoTime();
    yields = 0;
    crowded = false;
    boolean found = false;
    boolean slept = false;
    while (!found && !isOver(until)) {
      requireNotInterrupted(function);
      if (!idle()) {
        slept = true;
        cq.reqNotify(solicitedOnly);
        found = cq.poll(wc);
        if (!found) {
          sleep.sleep(cq, until);
        }
      }
      found = found || cq.poll(wc);
    }
    // Whoever only looks in, without time to wait, shows nothing.
    if (found || slept) {
      limit.learn(slept, crowded);
    }
    return found;
  }

  /** Passes a moment awake; false if the thread is to sleep instead. */
  @SuppressWarnings("ThreadPriorityCheck") // yielding is only polite: nothing depends on it
  private boolean idle() {
    if (crowded || yields >= limit.yields()) {
      return false;
    }
    long now = System.nanoTime();
    if (now - begun < SPINNING_NANOS) {
      Thread.onSpinWait();
    } else {
      yields++;
      Thread.yield();
      crowded = System.nanoTime() - now > SLICE_NANOS;
    }
    return true;
  }

  /** Sleeps for a part of the time that has been waited so far, where no event can end it. */
  void nap(long until) {
    long nanos = (System.nanoTime() - begun) / NAPS;
    nap(Math.clamp(nanos, SHORTEST_NAP_NANOS, LONGEST_NAP_NANOS), until);
  }

  /** Sleeps for the longest time that is left between two polls. */
  void longNap(long until) {
    nap(LONGEST_NAP_NANOS, until);
  }

  private void nap(long nanos, long until) {
    LockSupport.parkNanos(this, Math.min(nanos, left(until)));
  }
}
