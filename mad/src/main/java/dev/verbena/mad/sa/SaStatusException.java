package dev.verbena.mad.sa;

import dev.verbena.wire.mad.MadStatus;

/** A request is refused with a status of {@link MadStatus}. */
final class SaStatusException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  SaStatusException(int status) {
    super(MadStatus.text(status), null, false, false);
    this.status = status;
  }

  int status() {
    return status;
  }
}
