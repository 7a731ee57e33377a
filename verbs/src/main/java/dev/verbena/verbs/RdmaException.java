package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * An RDMA failure: a failed call ({@link VerbsException}), a completion with an error ({@link
 * WcException}), a failed request to a management agent ({@link MadException}), or an asynchronous
 * event that reports a failure ({@link AsyncException}).
 */
public abstract sealed class RdmaException extends RuntimeException
    permits VerbsException, WcException, MadException, AsyncException {
  private static final long serialVersionUID = 1L;

  RdmaException(String message) {
    super(message);
  }

  RdmaException(@Nullable String message, @Nullable Throwable cause, boolean withStack) {
    super(message, cause, withStack, withStack);
  }
}
