package dev.verbena.verbs;

/**
 * Thrown by a call on an object that was closed, destroyed, deregistered or deallocated, by itself
 * or with its owner. Its errno is EBADF.
 */
public final class ObjectClosedException extends VerbsException {
  private static final long serialVersionUID = 1L;

  /**
   * @param function the call that was made
   * @param object the closed object, such as "QP 0x11"
   */
  public ObjectClosedException(String function, String object) {
    super(function, Errno.EBADF, object + " is closed");
  }
}
