package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/** What becomes of asynchronous events for which an application has no handling of its own. */
final class AsyncEventHandling {

  /** Acknowledges the event, lets its end port know, and throws if it tells of a failure. */
  static void handle(AsyncEvent event) {
    event.ack();
    EndPort port = endPort(event);
    if (port != null) {
      tell(port, event.eventType());
    }
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

  /** Null also if it cannot be found out: then nothing is kept of it either. */
  private static @Nullable EndPort endPort(AsyncEvent event) {
    try {
      return event.endPort();
    } catch (RdmaException e) {
      return null;
    }
  }

  private static void tell(EndPort port, EventType change) {
    switch (change) {
      case LID_CHANGE -> port.lidChange();
      case SM_CHANGE -> port.smChange();
      case PKEY_CHANGE -> port.pkeyChange();
      case GID_CHANGE -> port.gidChange();
      case PORT_ACTIVE, PORT_ERR, CLIENT_REREGISTER -> port.stateChange();
      default -> {
        // Nothing that an end port tells has changed.
      }
    }
  }

  private AsyncEventHandling() {}
}
