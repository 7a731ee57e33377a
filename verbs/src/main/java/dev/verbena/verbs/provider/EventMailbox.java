package dev.verbena.verbs.provider;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventSource;
import dev.verbena.verbs.VerbsException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue of events on which threads can wait, like a file descriptor for events in C. Each event
 * wakes all of them; those that find nothing for them wait on.
 */
public final class EventMailbox<E> implements EventSource {
  private final Lifetime owner;
  private final EventQueue<E> queue;
  private final WaitSignal signal;
  private final Predicate<E> take;
  private volatile @Nullable Failure failure;

  /** Why no more events come. */
  private record Failure(int errno, String detail) {
    VerbsException in(String function) {
      return new VerbsException(function, errno, detail);
    }
  }

  /**
   * @param owner the object whose end ends the waiting
   * @param signal wakes waiting threads
   * @param take called for a removed event; returns false to drop it
   */
  public EventMailbox(Lifetime owner, WaitSignal signal, Predicate<E> take) {
    this.owner = owner;
    this.signal = signal;
    this.queue = new EventQueue<>(signal);
    this.take = take;
  }

  /** Adds an event. */
  public void push(E event) {
    queue.push(event);
  }

  /** Removes obsolete events. */
  public void purge(Predicate<E> obsolete) {
    queue.purge(obsolete);
  }

  /**
   * No more events come. Those that wait can still be taken; then threads that ask, or wait
   * already, get this error.
   *
   * @param detail why, in a sentence
   */
  public void fail(int errno, String detail) {
    failure = new Failure(errno, detail);
    queue.end();
  }

  /**
   * Takes the next event; waits for it until the deadline.
   *
   * @return the event, or null if none came in time
   * @throws VerbsException if none can come any more
   */
  public @Nullable E await(String function, Deadline deadline) throws InterruptedException {
    while (true) {
      E event = poll(function);
      if (event != null) {
        return event;
      }
      long left = deadline.left();
      if (left == 0) {
        return null;
      }
      signal.await(left);
    }
  }

  /**
   * Takes the next event that equals this one, and leaves all others; waits for it until the
   * deadline.
   *
   * @param present throws if the object that raises such events has ended; asked again when it is
   *     {@link #purge purged}
   * @return false if none came in time
   * @throws VerbsException if none can come any more
   */
  public boolean await(String function, Deadline deadline, E event, Runnable present)
      throws InterruptedException {
    while (true) {
      long seen = signal.changes();
      owner.require(function);
      present.run();
      Failure ended = failure;
      if (queue.take(event) && take.test(event)) {
        return true;
      }
      if (ended != null) {
        throw ended.in(function);
      }
      long left = deadline.left();
      if (left == 0) {
        return false;
      }
      signal.awaitChange(seen, left);
    }
  }

  /**
   * Takes the next event, or null if none waits.
   *
   * @throws VerbsException if none can come any more
   */
  public @Nullable E poll(String function) {
    while (true) {
      owner.require(function);
      // Read first: what arrived before the failure is found.
      Failure ended = failure;
      E event = queue.poll();
      if (event == null && ended != null) {
        throw ended.in(function);
      }
      if (event == null || take.test(event)) {
        return event;
      }
    }
  }

  @Override
  public boolean isReady() {
    owner.require("isReady");
    return queue.hasNews();
  }

  @Override
  public SelectableChannel selectable() {
    return ofPipe("selectable", signal::selectable);
  }

  @Override
  public SelectionKey registerPoll(Selector selector) {
    return ofPipe("registerPoll", () -> signal.register(selector));
  }

  private <T> T ofPipe(String function, Supplier<T> call) {
    owner.require(function);
    try {
      return call.get();
    } catch (IllegalStateException e) {
      // It may have been closed meanwhile: the signal ends after its owner.
      owner.require(function);
      throw e;
    } catch (UncheckedIOException e) {
      throw new VerbsException(function, Errno.EIO, "no pipe could be opened", e);
    }
  }

  @Override
  public synchronized void onReadiness(@Nullable Readiness listener) {
    owner.require("onReadiness");
    if (listener != null) {
      owner.holdFast();
    }
    signal.onReadiness(listener);
    if (listener == null) {
      owner.letGo();
    }
  }

  /** Returns what ends the waiting, without references to events or the owner. */
  public Runnable release() {
    return signal::close;
  }
}
