package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by {@link Context#handleAsyncEvent} for an asynchronous event that reports a failure. The
 * event has been acknowledged.
 */
public final class AsyncException extends RdmaException {
  private static final long serialVersionUID = 1L;

  private final transient AsyncEvent event;

  /** Creates the exception with the default message. */
  public AsyncException(AsyncEvent event) {
    this(event, "Asynchronous error event");
  }

  /**
   * @param event the event
   * @param message start of the text; the event and the object it belongs to follow
   */
  public AsyncException(AsyncEvent event, String message) {
    super(message + " - " + event.eventType() + " for " + object(event));
    this.event = event;
  }

  /** The failure is reported even if the context that knew the object is gone. */
  private static @Nullable Object object(AsyncEvent event) {
    try {
      return event.obj();
    } catch (RdmaException e) {
      return "an object that cannot be determined: " + e.getMessage();
    }
  }

  /** The event. */
  public AsyncEvent event() {
    return event;
  }
}
