package dev.verbena.soft.link.shm;

import dev.verbena.soft.link.Route;
import dev.verbena.wire.Address;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** The sending end of a lane. */
final class LaneWriter {
  private final MemorySegment lane;
  private long sent;
  private long taken;

  /** Continues at the end of a lane that {@link #isDrained}. */
  LaneWriter(MemorySegment lane) {
    this.lane = lane;
    taken = InboxLayout.longAt(lane, InboxLayout.TAKEN_AT);
    sent = taken;
  }

  /** Whether the reader has taken everything from a lane. */
  static boolean isDrained(MemorySegment lane) {
    long taken = InboxLayout.longAt(lane, InboxLayout.TAKEN_AT);
    return InboxLayout.longAt(lane, InboxLayout.cell(taken) + InboxLayout.NUMBER_AT) != taken + 1;
  }

  /**
   * Adds a datagram.
   *
   * @param marks flags of {@link InboxLayout#MARKS_AT}
   * @return false if there is no room
   */
  boolean offer(MemorySegment datagram, int length, Route route, int marks) {
    if (!hasRoom()) {
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
      lane.set(ValueLayout.JAVA_LONG, cell + InboxLayout.GROUP_AT, to.hi());
      lane.set(ValueLayout.JAVA_LONG, cell + InboxLayout.GROUP_AT + Long.BYTES, to.lo());
    }
    lane.set(ValueLayout.JAVA_INT, cell + InboxLayout.LENGTH_AT, length);
    lane.set(ValueLayout.JAVA_INT, cell + InboxLayout.MARKS_AT, all);
    lane.set(ValueLayout.JAVA_INT, cell + InboxLayout.FLOW_LABEL_AT, route.flowLabel());
    MemorySegment.copy(datagram, 0, lane, cell + InboxLayout.DATA_AT, length);
    sent++;
    InboxLayout.publish(lane, cell + InboxLayout.NUMBER_AT, sent);
    // Before the check whether the reader sleeps; the reader looks again after it says that it
    // sleeps.
    VarHandle.fullFence();
    return true;
  }

  /** A reader with an impossible count has taken nothing. */
  private boolean hasRoom() {
    if (sent - taken < InboxLayout.CELLS) {
      return true;
    }
    long said = InboxLayout.longAt(lane, InboxLayout.TAKEN_AT);
    if (said - taken > 0 && said - sent <= 0) {
      taken = said;
      return true;
    }
    return false;
  }
}
