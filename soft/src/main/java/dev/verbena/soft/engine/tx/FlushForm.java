package dev.verbena.soft.engine.tx;

import dev.verbena.wire.Bth;
import java.lang.foreign.MemorySegment;

/**
 * Chooses the ICRC in the FLUSH packets of one queue pair: the usual one, or the one that only
 * Linux's rxe uses ({@link dev.verbena.wire.RxeFlushIcrc}). A peer silently drops a FLUSH with the
 * wrong form. So a repeated FLUSH goes out in the other form, which then applies to later ones,
 * too. A form in which a later FLUSH has already been sent has proven itself, and gets a second
 * chance, since a packet may just have been lost. Used under the requester guard.
 */
final class FlushForm {
  /** Shifts the sign of a 24-bit difference to that of an int. */
  private static final int PSN_SHIFT = 8;

  private boolean ofRxe;
  private boolean proven;
  private boolean sentOne;
  private int lastPsn;
  private int highestPsn;

  /** Starts over for a new connection. */
  void reset() {
    ofRxe = false;
    proven = false;
    sentOne = false;
  }

  /** Whether the FLUSH to send now must carry rxe's ICRC. */
  boolean isOfRxe(MemorySegment packet) {
    return (isRepeated(packet) && !proven) != ofRxe;
  }

  /** The link took the FLUSH for which {@link #isOfRxe} was called. */
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
