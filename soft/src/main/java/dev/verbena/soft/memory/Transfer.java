package dev.verbena.soft.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** Copies between lists of pieces. */
public final class Transfer {
  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

  /** The smallest page that there is; larger ones are touched more than once. */
  private static final int PAGE = 4096;

  /**
   * Copies all of {@code source} to the start of {@code target}, which is at least as long.
   *
   * @param endsMessage whether this is the end of a message: then its last byte is stored after all
   *     others, after a release fence, as programs that poll memory need it (SC-36)
   * @return NONE, or MEMORY_GONE if the memory of either side is not there any more: the
   *     application closed it, or cut its mapped file short; part of it may then have been copied
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
      LateErrors.raise();
    } catch (IllegalStateException | InternalError e) {
      // The arena of one of the segments was closed, or its mapped file was cut short.
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
    // Not a release store of a byte, see LateErrors.
    VarHandle.releaseFence();
    target.set(ValueLayout.JAVA_BYTE, to + length - 1, last);
  }

  /**
   * After {@link #copy} has failed: whether the source is still there, so that it was the target
   * that is gone.
   */
  public static boolean isReadable(SpanList source) {
    try {
      for (int i = 0; i < source.count(); i++) {
        touch(source.segment(i), source.offset(i), source.length(i));
      }
      LateErrors.raise();
      return true;
    } catch (IllegalStateException | InternalError e) {
      return false;
    }
  }

  /** Reads a byte of each page of a range. */
  private static void touch(MemorySegment segment, long from, long length) {
    if (length > 0) {
      for (long at = 0; at < length; at += PAGE) {
        BYTE.getVolatile(segment, from + at);
      }
      BYTE.getVolatile(segment, from + length - 1);
    }
  }

  /** Whether the end of a range is there. A file is cut at its end: if so, all of the range is. */
  static boolean reaches(MemorySegment segment, long from, long length) {
    try {
      if (length > 0) {
        BYTE.getVolatile(segment, from + length - 1);
      }
      LateErrors.raise();
      return true;
    } catch (IllegalStateException | InternalError e) {
      return false;
    }
  }

  private Transfer() {}
}
