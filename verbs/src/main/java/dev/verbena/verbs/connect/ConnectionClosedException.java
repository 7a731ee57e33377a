package dev.verbena.verbs.connect;

import java.io.IOException;

/** A wait is over because this end has closed the connection, or the listener. */
public final class ConnectionClosedException extends IOException {
  private static final long serialVersionUID = 1L;

  ConnectionClosedException(String message, IOException cause) {
    super(message, cause);
  }
}
