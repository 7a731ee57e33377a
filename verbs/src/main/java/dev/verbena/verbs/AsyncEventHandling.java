package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/** The default handling of asynchronous events, for applications without their own. */
final class AsyncEventHandling {

  /** Acknowledges the event, notifies its end port, and throws if the event reports a failure. */
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

  /**
   * The end port of the event; also null if it cannot be determined, because then nothing is cached
   * for it.
   */
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
        // Nothing that an end port reports has changed.
      }
    }
  }

  private AsyncEventHandling() {}
}
