package dev.verbena.interop.sides;

import java.io.IOException;

/** The peer refused a command. */
final class VerbsPeerException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int errno;

  VerbsPeerException(String command, int errno, String text) {
    super("the peer refused '" + command + "': errno " + errno + ", " + text);
    this.errno = errno;
  }

  /** The peer's error number; 0 where it does not know. */
  int errno() {
    return errno;
  }
}
