package dev.verbena.interop.sides;

import java.io.IOException;

/** The guest refused a command. */
final class GuestException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int errno;

  GuestException(String command, int errno, String text) {
    super("the guest refused '" + command + "': errno " + errno + ", " + text);
    this.errno = errno;
  }

  /** The guest's error number; 0 where it does not know. */
  int errno() {
    return errno;
  }
}
