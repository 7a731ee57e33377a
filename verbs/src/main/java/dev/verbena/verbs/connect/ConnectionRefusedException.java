package dev.verbena.verbs.connect;

import java.io.IOException;

/** The other end gave up while the connection was set up, and said why. */
public final class ConnectionRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  ConnectionRefusedException(String message) {
    super(message);
  }
}
