package dev.verbena.verbs.connect;

import java.io.IOException;

/** A wait for the end of the other end is over because this end has closed the connection. */
public final class ConnectionClosedException extends IOException {
  private static final long serialVersionUID = 1L;

  ConnectionClosedException(String message, IOException cause) {
    super(message, cause);
  }
}
