package dev.verbena.verbs;

/**
 * An asynchronous event tells of a failure: thrown by {@link Context#handleAsyncEvent}. The event
 * is acknowledged.
 */
public final class AsyncException extends RdmaException {
  private static final long serialVersionUID = 1L;

  private final transient AsyncEvent event;

  /** With the usual message. */
  public AsyncException(AsyncEvent event) {
    this(event, "Asynchronous error event");
  }

  /**
   * @param event what was told
   * @param message what the text begins with; the event, and what it belongs to, follow
   */
  public AsyncException(AsyncEvent event, String message) {
    super(message + " - " + event.eventType() + " for " + event.obj());
    this.event = event;
  }

  /** The event. */
  public AsyncEvent event() {
    return event;
  }
}
