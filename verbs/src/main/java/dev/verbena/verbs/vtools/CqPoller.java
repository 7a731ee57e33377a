package dev.verbena.verbs.vtools;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncException;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.io.IOException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A loop over the completions of a queue that sleeps while there are none:
 *
 * {@snippet :
 * try (CqPoller poller = new CqPoller(cq)) {
 *   for (WorkCompletion wc : poller.iterwc(Duration.ofSeconds(1))) {
 *     handle(wc);
 *   }
 * }
 * }
 *
 * <p>If the queue has a completion channel, the loop sleeps without losing a wake-up: it polls for
 * a while as {@link Completions} does, arms, polls again, and only then sleeps. The channel should
 * have no other queue whose events anybody waits for, because the poller takes and acknowledges all
 * events. Without a channel, the loop polls between naps of at most a millisecond.
 *
 * <p>Iterating allocates nothing per completion: the loop variable is one object, refilled at each
 * step. A completion is taken from the queue only when the loop asks for it, so leaving the loop
 * loses nothing.
 *
 * <p>For one thread at a time. Times are those of {@link System#nanoTime()}.
 */
public final class CqPoller implements Iterable<WorkCompletion>, AutoCloseable {
  /** A wake-up time that is never reached. */
  public static final long NEVER = Waiting.NEVER;

  private static final long NO_LIMIT = Long.MAX_VALUE;

  private final CompletionQueue cq;
  private final Context context;
  private final @Nullable CompletionChannel channel;
  private final boolean asyncEvents;
  private final boolean solicitedOnly;
  private final Waiting waiting = new Waiting();
  private final Waiting.Sleep sleep = (queue, until) -> sleepBetweenPolls(until);
  private @Nullable Selector selector;
  private long wakeAt = NEVER;
  private boolean timedOut;

  /**
   * A poller that watches asynchronous events and wakes for any completion. While it sleeps it
   * takes all events of the context, whichever object they are about; see the other constructor.
   */
  public CqPoller(CompletionQueue cq) {
    this(cq, true, false);
  }

  /**
   * @param cq the queue to poll
   * @param asyncEvents whether to handle the context's asynchronous events meanwhile, with {@link
   *     Context#handleAsyncEvent}: all of them, also of other queues, and those that are no failure
   *     are discarded. Pass false if the program reads {@link Context#getAsyncEvent()} itself or
   *     has several pollers on one context, because each event goes to one reader
   * @param solicitedOnly whether only solicited receives and completions with an error end the
   *     sleep; the loop still returns all completions
   */
  public CqPoller(CompletionQueue cq, boolean asyncEvents, boolean solicitedOnly) {
    this.cq = cq;
    this.context = cq.context();
    this.channel = cq.channel();
    this.asyncEvents = asyncEvents;
    this.solicitedOnly = solicitedOnly;
  }

  /** Completions without end, in steps as {@link #iterator()} says. */
  public Iterable<WorkCompletion> iterwc() {
    return run(NO_LIMIT, null, NEVER);
  }

  /**
   * At most {@code count} completions, in steps as {@link #iterator()} says.
   *
   * @throws VerbsException EINVAL if the count is negative; so do the other ones with a count
   */
  public Iterable<WorkCompletion> iterwc(long count) {
    return run(count, null, NEVER);
  }

  /** Completions until {@code timeout} has passed since the start of the loop. */
  public Iterable<WorkCompletion> iterwc(Duration timeout) {
    return run(NO_LIMIT, timeout, NEVER);
  }

  /**
   * At most {@code count} completions, until {@code timeout} has passed since the start of the
   * loop.
   */
  public Iterable<WorkCompletion> iterwc(long count, Duration timeout) {
    return run(count, timeout, NEVER);
  }

  /**
   * At most {@code count} completions, until a point in time.
   *
   * @param stopAt as {@link #wakeAt(long)}
   */
  public Iterable<WorkCompletion> iterwcUntil(long count, long stopAt) {
    return run(count, null, stopAt);
  }

  private Iterable<WorkCompletion> run(long count, @Nullable Duration timeout, long stopAt) {
    if (count < 0) {
      throw new VerbsException("iterwc", Errno.EINVAL, "count " + count + " is negative");
    }
    return () -> {
      wakeAt = timeout == null ? stopAt : Waiting.until(timeout);
      timedOut = false;
      return new Steps(count);
    };
  }

  /**
   * The same as {@link #iterwc()}.
   *
   * <p>A step waits for the next completion, however long that takes. It throws {@link
   * AsyncException} if an asynchronous event reports a failure, and VerbsException with EINTR,
   * leaving the interrupt status set, if the thread is interrupted; the loop may continue after
   * either. It throws what {@link CompletionQueue#poll(WorkCompletion[])} throws: VerbsException
   * with EIO after an overrun, and {@link dev.verbena.verbs.ObjectClosedException} when the queue
   * is closed.
   */
  @Override
  public Iterator<WorkCompletion> iterator() {
    return iterwc().iterator();
  }

  /** Whether the last loop ended because its time was up. */
  public boolean timedOut() {
    return timedOut;
  }

  /** When the loop ends, as a value of System.nanoTime(), or {@link #NEVER}. */
  public long wakeAt() {
    return wakeAt;
  }

  /**
   * Sets when the loop ends; may be called within the loop. After that time the loop returns
   * nothing more: remaining completions stay in the queue. The first step polls in any case.
   */
  public void wakeAt(long nanoTime) {
    wakeAt = nanoTime;
  }

  /**
   * Sleeps until the queue raises an event, and handles asynchronous events meanwhile. The queue
   * must first be armed ({@link CompletionQueue#reqNotify()}) and then polled once more; otherwise
   * this may sleep while completions are waiting.
   *
   * @param until when to give up, as a value of System.nanoTime(), or {@link #NEVER}
   * @return true on an event; true after a nap of a millisecond if the queue has no channel; false
   *     if the time is up
   * @throws AsyncException for an asynchronous event that reports a failure
   * @throws VerbsException EINTR if the thread is interrupted, whose interrupt status stays set
   */
  public boolean sleep(long until) {
    if (channel != null) {
      return awaitEvent(channel, until);
    }
    waiting.longNap(until);
    afterNap();
    return !Waiting.isOver(until);
  }

  private void sleepBetweenPolls(long until) {
    if (channel != null) {
      awaitEvent(channel, until);
    } else {
      waiting.nap(until);
      afterNap();
    }
  }

  private void afterNap() {
    if (asyncEvents && context.asyncEventSource().isReady()) {
      handleAsyncEvents();
    }
    Waiting.requireNotInterrupted("sleep");
  }

  /** False if the time is up. */
  private boolean awaitEvent(CompletionChannel at, long until) {
    while (!takeEvent(at)) {
      if (Waiting.isOver(until)) {
        return false;
      }
      select(at, until);
      Waiting.requireNotInterrupted("sleep");
      if (asyncEvents) {
        handleAsyncEvents();
      }
    }
    return true;
  }

  private boolean takeEvent(CompletionChannel from) {
    CompletionQueue raised;
    do {
      raised = from.checkPoll();
    } while (raised != null && !raised.equals(cq));
    return raised != null;
  }

  private void select(CompletionChannel on, long until) {
    try {
      if (selector == null) {
        selector = Selector.open();
        on.registerPoll(selector);
        if (asyncEvents) {
          context.asyncEventSource().registerPoll(selector);
        }
      }
      // 0 would wait for ever; up to a millisecond more does no harm.
      selector.select(
          key -> {}, until == NEVER ? 0 : TimeUnit.NANOSECONDS.toMillis(Waiting.left(until)) + 1);
    } catch (IOException e) {
      throw new VerbsException("sleep", Errno.EIO, "the selector failed: " + e.getMessage(), e);
    }
  }

  private void handleAsyncEvents() {
    try {
      AsyncEvent event = context.getAsyncEvent(Duration.ZERO);
      while (event != null) {
        context.handleAsyncEvent(event);
        event = context.getAsyncEvent(Duration.ZERO);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Waiting.requireNotInterrupted("sleep");
    }
  }

  /** Closes the selector that sleeping needs. Idempotent; the queue is not changed. */
  @Override
  public void close() {
    Selector open = selector;
    selector = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw new VerbsException("close", Errno.EIO, "the selector failed: " + e.getMessage(), e);
      }
    }
  }

  @Override
  public String toString() {
    return "poller of " + cq;
  }

  /** One loop. */
  private final class Steps implements Iterator<WorkCompletion> {
    private final WorkCompletion wc = new WorkCompletion();
    private long left;
    private boolean begun;
    private boolean filled;

    Steps(long count) {
      left = count;
    }

    @Override
    public boolean hasNext() {
      if (!filled && left != 0) {
        filled = fill();
        timedOut = !filled;
        left = filled ? left : 0;
      }
      return filled;
    }

    /** Waits for the next completion; false if the time is up. */
    private boolean fill() {
      if (begun && Waiting.isOver(wakeAt)) {
        return false;
      }
      begun = true;
      return cq.poll(wc) || waiting.next("iterwc", cq, wc, solicitedOnly, wakeAt, sleep);
    }

    @Override
    public WorkCompletion next() {
      if (!hasNext()) {
        throw new NoSuchElementException(timedOut ? "the time is up" : "all have been returned");
      }
      filled = false;
      left--;
      return wc;
    }
  }
}
