package dev.verbena.soft.engine.tx;

import dev.verbena.wire.Bth;
import java.lang.foreign.MemorySegment;

/**
 * Which ICRC the FLUSH packets of one queue pair carry: the usual one, or the one that only Linux's
 * rxe understands ({@link dev.verbena.wire.RxeFlushIcrc}). A peer drops what it does not
 * understand, and cannot say so. Therefore a FLUSH that is repeated is repeated in the other form,
 * and the form stays for those that follow; one in which a later FLUSH was sent already has proven
 * itself, and gets a second chance, as a packet may just have been lost. Under the requester guard.
 */
final class FlushForm {
  /** Makes the sign of a 24-bit difference that of an int. */
  private static final int PSN_SHIFT = 8;

  private boolean ofRxe;
  private boolean proven;
  private boolean sentOne;
  private int lastPsn;
  private int highestPsn;

  /** For a new connection. */
  void reset() {
    ofRxe = false;
    proven = false;
    sentOne = false;
  }

  /** Whether a FLUSH that is to be sent now has to carry rxe's ICRC. */
  boolean isOfRxe(MemorySegment packet) {
    return (isRepeated(packet) && !proven) != ofRxe;
  }

  /** The link took the FLUSH, for which {@link #isOfRxe} was asked. */
  void sent(MemorySegment packet, boolean asRxe) {
    int psn = Bth.psn(packet, 0);
    if (!sentOne || isAfter(psn, highestPsn)) {
      proven = sentOne;
      highestPsn = psn;
    } else if (isRepeated(packet)) {
      proven = false;
    }
    ofRxe = asRxe;
    lastPsn = psn;
    sentOne = true;
  }

  private boolean isRepeated(MemorySegment packet) {
    return sentOne && !isAfter(Bth.psn(packet, 0), lastPsn);
  }

  private static boolean isAfter(int psn, int other) {
    return (psn - other) << PSN_SHIFT > 0;
  }
}
