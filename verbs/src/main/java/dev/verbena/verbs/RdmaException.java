package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Something of RDMA failed: a call ({@link VerbsException}), work that a completion reports ({@link
 * WcException}), what a management agent was asked ({@link MadException}), or something that an
 * asynchronous event tells of ({@link AsyncException}).
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
