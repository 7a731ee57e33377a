package dev.verbena.soft.link.shm;

import dev.verbena.soft.link.Route;
import dev.verbena.wire.Address;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** The sending end of a ring. */
final class RingWriter {
  private final MemorySegment ring;

  /** Cells that were ever filled. */
  private long sent;

  /** Cells that the reader is known to have taken. */
  private long taken;

  /** Continues at the end of a ring that {@link #isDrained}. */
  RingWriter(MemorySegment ring) {
    this.ring = ring;
    taken = InboxLayout.longAt(ring, InboxLayout.TAKEN_AT);
    sent = taken;
  }

  /** Whether the reader has taken everything from a ring. */
  static boolean isDrained(MemorySegment ring) {
    return !waits(ring, InboxLayout.longAt(ring, InboxLayout.TAKEN_AT));
  }

  /** Whether this cell, counted from 0, has been filled. */
  private static boolean waits(MemorySegment ring, long cell) {
    return InboxLayout.longAt(ring, InboxLayout.cell(cell) + InboxLayout.NUMBER_AT) == cell + 1;
  }

  /**
   * Whether the next datagram that the reader will take is one of this writer. If others have
   * changed the ring, the reader may wait for a number that never comes; it states its own count
   * again when it finds nothing.
   */
  boolean isInStep() {
    long said = InboxLayout.longAt(ring, InboxLayout.TAKEN_AT);
    return isPossible(said) && (said == sent || waits(ring, said));
  }

  private boolean isPossible(long said) {
    return said - taken >= 0 && said - sent <= 0;
  }

  /**
   * Adds a datagram.
   *
   * @param marks flags of {@link InboxLayout#MARKS_AT}
   * @return false if there is no room
   */
  boolean offer(MemorySegment datagram, int length, Route route, int marks) {
    int cells = InboxLayout.cells(length);
    if (!hasRoom(cells)) {
      return false;
    }
    long cell = InboxLayout.cell(sent);
    Address to = route.destination();
    int all =
        marks
            | (route.trafficClass() & InboxLayout.BYTE)
            | route.effectiveHopLimit() << InboxLayout.HOP_LIMIT_SHIFT;
    if (route.isMulticast()) {
      all |= InboxLayout.FOR_GROUP;
      ring.set(ValueLayout.JAVA_LONG, cell + InboxLayout.GROUP_AT, to.hi());
      ring.set(ValueLayout.JAVA_LONG, cell + InboxLayout.GROUP_AT + Long.BYTES, to.lo());
    }
    ring.set(ValueLayout.JAVA_INT, cell + InboxLayout.LENGTH_AT, length);
    ring.set(ValueLayout.JAVA_INT, cell + InboxLayout.MARKS_AT, all);
    ring.set(ValueLayout.JAVA_INT, cell + InboxLayout.FLOW_LABEL_AT, route.flowLabel());
    for (int i = 0; i < cells; i++) {
      int from = i * InboxLayout.CELL_DATA;
      int bytes = Math.min(InboxLayout.CELL_DATA, length - from);
      long piece = InboxLayout.cell(sent + i) + InboxLayout.DATA_AT;
      MemorySegment.copy(datagram, from, ring, piece, bytes);
    }
    InboxLayout.publish(ring, cell + InboxLayout.NUMBER_AT, sent + 1);
    sent += cells;
    // Before the check whether the reader sleeps; the reader looks again after it says that it
    // sleeps.
    VarHandle.fullFence();
    return true;
  }

  /** A reader with an impossible count has taken nothing. */
  private boolean hasRoom(int cells) {
    if (sent + cells - taken <= InboxLayout.CELLS) {
      return true;
    }
    long said = InboxLayout.longAt(ring, InboxLayout.TAKEN_AT);
    if (isPossible(said)) {
      taken = said;
    }
    return sent + cells - taken <= InboxLayout.CELLS;
  }
}
