package dev.verbena.mad.sa;

import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.MgmtClass;

/** Refuses a request with a status of {@link MadStatus}. */
final class SaStatusException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  SaStatusException(int status) {
    super(MadStatus.text(MgmtClass.SUBN_ADM, status), null, false, false);
    this.status = status;
  }

  int status() {
    return status;
  }
}
