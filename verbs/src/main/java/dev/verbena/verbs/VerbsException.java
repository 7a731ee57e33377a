package dev.verbena.verbs;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A verb failed. Carries the libibverbs-style name of the call, the positive error number that the
 * C function would return or leave in errno, and a message that names the object, the value and the
 * limit.
 */
public non-sealed class VerbsException extends RdmaException {
  private static final long serialVersionUID = 1L;

  private final String function;
  private final int errno;
  private final String detail;

  /**
   * @param function the call that failed, such as "createQp"
   * @param errno a positive number from {@link Errno}
   * @param detail what was wrong and what to do about it
   */
  public VerbsException(String function, int errno, String detail) {
    this(function, errno, detail, true);
  }

  /**
   * @param function the call that failed
   * @param errno a positive number from {@link Errno}
   * @param detail what was wrong and what to do about it
   * @param cause the cause of the failure
   */
  public VerbsException(String function, int errno, String detail, Throwable cause) {
    this(function, errno, detail, cause, true);
  }

  /** For subclasses that report ordinary back-pressure, which must be cheap. */
  protected VerbsException(String function, int errno, String detail, boolean withStack) {
    this(function, errno, detail, null, withStack);
  }

  private VerbsException(
      String function, int errno, String detail, @Nullable Throwable cause, boolean withStack) {
    super(null, cause, withStack);
    this.function = function;
    this.errno = errno;
    this.detail = detail;
  }

  /**
   * The call, the detail and the error number; composed on demand, so that a full queue costs
   * little.
   */
  @Override
  public String getMessage() {
    return function
        + ": "
        + subject()
        + detail
        + " ("
        + Errno.name(errno)
        + ": "
        + Errno.strerror(errno)
        + ")";
  }

  /** What the message names before the detail; empty if the detail says it all. */
  String subject() {
    return "";
  }

  /** What was wrong and what to do about it: the message without the call and the error number. */
  public final String detail() {
    return subject() + detail;
  }

  /** The call that failed, such as "createQp". */
  public final String function() {
    return function;
  }

  /** The positive error number; see {@link Errno}. */
  public final int errno() {
    return errno;
  }

  /** The same failure as a checked I/O error, with this as its cause. */
  public final IOException toIOException() {
    return new IOException(getMessage(), this);
  }
}
