package dev.verbena.verbs.connect;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The other end sent something that is no message of the set-up. */
final class FormatException extends IOException {
  private static final long serialVersionUID = 1L;

  FormatException(String what, @Nullable Throwable cause) {
    super(what, cause);
  }
}
