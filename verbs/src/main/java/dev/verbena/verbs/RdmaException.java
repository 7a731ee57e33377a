package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Something of RDMA failed: a call ({@link VerbsException}), or work that a completion reports
 * ({@link WcException}).
 */
public abstract sealed class RdmaException extends RuntimeException
    permits VerbsException, WcException {
  private static final long serialVersionUID = 1L;

  RdmaException(String message) {
    super(message);
  }

  RdmaException(@Nullable String message, @Nullable Throwable cause, boolean withStack) {
    super(message, cause, withStack, withStack);
  }
}
