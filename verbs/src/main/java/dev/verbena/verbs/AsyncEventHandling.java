package dev.verbena.verbs;

/** What becomes of asynchronous events for which an application has no handling of its own. */
final class AsyncEventHandling {

  /** Acknowledges the event, and throws if it tells of a failure. */
  static void handle(AsyncEvent event) {
    event.ack();
    switch (event.eventType()) {
      case DEVICE_FATAL,
          SRQ_ERR,
          CQ_ERR,
          QP_FATAL,
          QP_REQ_ERR,
          QP_ACCESS_ERR,
          PATH_MIG_ERR,
          WQ_FATAL ->
          throw new AsyncException(event);
      default -> {
        // News, not failures.
      }
    }
  }

  private AsyncEventHandling() {}
}
