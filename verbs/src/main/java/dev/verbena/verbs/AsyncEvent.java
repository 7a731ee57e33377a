package dev.verbena.verbs;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous event (struct ibv_async_event). Every event retrieved must be acknowledged:
 * destroying the object it belongs to waits for that. {@link #close()} also acknowledges it, so
 * try-with-resources works well.
 */
public final class AsyncEvent implements AutoCloseable {
  private final @Nullable Context context;
  private final EventType eventType;
  private final @Nullable Object element;
  private final int portNum;
  private final Runnable onAck;
  private final AtomicBoolean acknowledged = new AtomicBoolean();

  /**
   * For providers.
   *
   * @param context the context it was raised for; null if there is none
   * @param eventType kind
   * @param element the CompletionQueue, QueuePair, SharedReceiveQueue or WorkQueue concerned, or
   *     null
   * @param portNum the port concerned, or 0
   * @param onAck run once, when the event is acknowledged
   */
  public AsyncEvent(
      @Nullable Context context,
      EventType eventType,
      @Nullable Object element,
      int portNum,
      Runnable onAck) {
    this.context = context;
    this.eventType = eventType;
    this.element = element;
    this.portNum = portNum;
    this.onAck = onAck;
  }

  /** Kind of event. */
  public EventType eventType() {
    return eventType;
  }

  /** The queue pair concerned, or null. */
  public @Nullable QueuePair qp() {
    return element instanceof QueuePair qp ? qp : null;
  }

  /** The completion queue concerned, or null. */
  public @Nullable CompletionQueue cq() {
    return element instanceof CompletionQueue cq ? cq : null;
  }

  /** The shared receive queue concerned, or null. */
  public @Nullable SharedReceiveQueue srq() {
    return element instanceof SharedReceiveQueue srq ? srq : null;
  }

  /** The work queue concerned, or null. */
  public @Nullable WorkQueue wq() {
    return element instanceof WorkQueue wq ? wq : null;
  }

  /** The port concerned, from 1; 0 if the event concerns none. */
  public int portNum() {
    return portNum;
  }

  /** The end port of {@link #portNum()}; null if the event concerns none. */
  public @Nullable EndPort endPort() {
    return context == null || portNum == 0 ? null : context.endPort().device().endPort(portNum);
  }

  /**
   * The object that the event belongs to: a QueuePair, CompletionQueue, SharedReceiveQueue,
   * WorkQueue or {@link EndPort}, otherwise the {@link RdmaDevice}; null if it is not known.
   */
  public @Nullable Object obj() {
    if (element != null || context == null) {
      return element;
    }
    return portNum != 0 ? endPort() : context.endPort().device();
  }

  /** Acknowledges the event (ibv_ack_async_event). Acknowledging it again does nothing. */
  public void ack() {
    if (acknowledged.compareAndSet(false, true)) {
      onAck.run();
    }
  }

  /** Acknowledges the event. */
  @Override
  public void close() {
    ack();
  }

  @Override
  public String toString() {
    return eventType
        + " ("
        + eventType.str()
        + ")"
        + (element != null ? " on " + element : "")
        + (portNum != 0 ? " on port " + portNum : "");
  }
}
