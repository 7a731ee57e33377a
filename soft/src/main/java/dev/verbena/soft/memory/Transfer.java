package dev.verbena.soft.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** Copies between lists of pieces. */
public final class Transfer {
  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

  /**
   * Copies all of {@code source} to the start of {@code target}, which is at least as long.
   *
   * @param endsMessage whether this is the end of a message: then its last byte is stored after all
   *     others, by a release store, as programs that poll memory need it (SC-36)
   * @return NONE, or MEMORY_GONE if the application closed the memory of either side meanwhile;
   *     part of it may then have been copied
   */
  public static AccessFault copy(SpanList source, SpanList target, boolean endsMessage) {
    long left = source.total();
    int from = 0;
    int to = 0;
    long fromUsed = 0;
    long toUsed = 0;
    try {
      while (left > 0) {
        long step = Math.min(source.length(from) - fromUsed, target.length(to) - toUsed);
        if (step > 0) {
          left -= step;
          copyPiece(
              source.segment(from),
              source.offset(from) + fromUsed,
              target.segment(to),
              target.offset(to) + toUsed,
              step,
              endsMessage && left == 0);
          fromUsed += step;
          toUsed += step;
        }
        if (fromUsed == source.length(from)) {
          from++;
          fromUsed = 0;
        }
        if (toUsed == target.length(to)) {
          to++;
          toUsed = 0;
        }
      }
    } catch (IllegalStateException | InternalError e) {
      // The arena of one of the segments was closed, or its mapped file was cut short: the virtual
      // machine turns the bus error into an InternalError.
      return AccessFault.MEMORY_GONE;
    }
    return AccessFault.NONE;
  }

  private static void copyPiece(
      MemorySegment source, long from, MemorySegment target, long to, long length, boolean end) {
    if (!end) {
      MemorySegment.copy(source, from, target, to, length);
      return;
    }
    // The last byte is read first: source and target may overlap, and the bulk copy may overwrite
    // it.
    byte last = source.get(ValueLayout.JAVA_BYTE, from + length - 1);
    if (length > 1) {
      MemorySegment.copy(source, from, target, to, length - 1);
    }
    BYTE.setRelease(target, to + length - 1, last);
  }

  private Transfer() {}
}
