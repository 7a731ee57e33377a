package dev.verbena.verbs.provider;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.EventSource;
import dev.verbena.verbs.EventType;
import java.lang.ref.WeakReference;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;

/** The asynchronous events of one context. */
public final class AsyncEvents implements EventSource {
  /** An event that is waiting; {@code source} counts it when it is taken. */
  private record Pending(
      EventType type, @Nullable Object element, @Nullable Unacknowledged source, int portNum) {

    boolean take() {
      return source == null || source.take();
    }

    AsyncEvent toEvent(Context context) {
      Runnable acknowledge = source == null ? () -> {} : () -> source.acknowledge(1);
      return new AsyncEvent(context, type, element, portNum, acknowledge);
    }
  }

  private final Context context;
  private final EventMailbox<Pending> mailbox;
  private final WeakReference<AsyncEvents> weakly = new WeakReference<>(this);

  /**
   * @param context the context to which they belong
   * @param lifetime of the context
   */
  public AsyncEvents(Context context, Lifetime lifetime, WaitSignal signal) {
    this.context = context;
    this.mailbox = new EventMailbox<>(lifetime, signal, Pending::take);
  }

  /**
   * Always the same reference; the device uses it in order not to keep a lost context reachable.
   */
  public WeakReference<AsyncEvents> weakly() {
    return weakly;
  }

  /** Raises an event of an object. */
  public void raise(EventType type, Object element, Unacknowledged source) {
    if (!source.isRetired()) {
      mailbox.push(new Pending(type, element, source, 0));
    }
  }

  /** Raises an event of a port, or of the device if {@code portNum} is 0. */
  public void raiseUnaffiliated(EventType type, int portNum) {
    mailbox.push(new Pending(type, null, null, portNum));
  }

  /** Removes the events of an object that is ending and accepts no more. */
  public void purge(Unacknowledged source) {
    mailbox.purge(event -> event.source() == source);
  }

  /** As {@link EventMailbox#fail}. */
  public void fail(int errno, String detail) {
    mailbox.fail(errno, detail);
  }

  /** Waits for the next event; null if none came before the deadline. */
  public @Nullable AsyncEvent await(Deadline deadline) throws InterruptedException {
    Pending event = mailbox.await("getAsyncEvent", deadline);
    return event == null ? null : event.toEvent(context);
  }

  @Override
  public boolean isReady() {
    return mailbox.isReady();
  }

  @Override
  public SelectableChannel selectable() {
    return mailbox.selectable();
  }

  @Override
  public SelectionKey registerPoll(Selector selector) {
    return mailbox.registerPoll(selector);
  }

  @Override
  public void onReadiness(@Nullable Readiness listener) {
    mailbox.onReadiness(listener);
  }

  /** As {@link EventMailbox#release}. */
  public Runnable release() {
    return mailbox.release();
  }
}
