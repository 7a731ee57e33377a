package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

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
    super(message + " - " + event.eventType() + " for " + object(event));
    this.event = event;
  }

  /** The failure is told even if the context that would know what it belongs to has gone. */
  private static @Nullable Object object(AsyncEvent event) {
    try {
      return event.obj();
    } catch (RdmaException e) {
      return "something that cannot be found: " + e.getMessage();
    }
  }

  /** The event. */
  public AsyncEvent event() {
    return event;
  }
}
