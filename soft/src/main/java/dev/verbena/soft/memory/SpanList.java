package dev.verbena.soft.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A logical sequence of checked pieces of memory that may be read or written, with copying from one
 * list to another. Reused; must be {@link #clear}ed before the guard under which it was filled is
 * released, because a registration may end afterwards.
 */
public final class SpanList {
  /** The smallest page size; larger pages are touched more than once. */
  private static final int PAGE = 4096;

  // The first piece, usually the only one. A field is cheaper than an array element.
  private @Nullable MemorySegment firstSegment;
  private long firstOffset;
  private long firstLength;

  // The others, from index 1 on.
  private @Nullable MemorySegment[] segments = new @Nullable MemorySegment[8];
  private long[] offsets = new long[8];
  private long[] lengths = new long[8];
  private int count;

  /** Bytes in all pieces. */
  public long total;

  /** An empty list. */
  public SpanList() {}

  /** Forgets all pieces. */
  public void clear() {
    firstSegment = null;
    firstLength = 0;
    for (int i = 1; i < count; i++) {
      segments[i] = null;
    }
    count = 0;
    total = 0;
  }

  /** Adds a piece. */
  public void add(MemorySegment segment, long offset, long length) {
    total += length;
    if (count == 0) {
      firstSegment = segment;
      firstOffset = offset;
      firstLength = length;
    } else {
      addBehind(segment, offset, length);
    }
    count++;
  }

  private void addBehind(MemorySegment segment, long offset, long length) {
    if (count == offsets.length) {
      grow();
    }
    segments[count] = segment;
    offsets[count] = offset;
    lengths[count] = length;
  }

  /**
   * Copies all bytes to the start of {@code target}, which is at least as long.
   *
   * @param endsMessage whether this is the end of a message; then its last byte is stored after all
   *     others and a release fence, as programs that poll memory need (SC-36)
   * @return NONE, or MEMORY_GONE if the memory of either side no longer exists, because the
   *     application closed it or truncated its mapped file; part of it may then have been copied
   */
  public AccessFault copyTo(SpanList target, boolean endsMessage) {
    long left = total;
    int from = 0;
    int to = 0;
    long fromUsed = 0;
    long toUsed = 0;
    try {
      while (left > 0) {
        long step = Math.min(length(from) - fromUsed, target.length(to) - toUsed);
        if (step > 0) {
          left -= step;
          copyPiece(
              segment(from),
              offset(from) + fromUsed,
              target.segment(to),
              target.offset(to) + toUsed,
              step,
              endsMessage && left == 0);
          fromUsed += step;
          toUsed += step;
        }
        if (fromUsed == length(from)) {
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
      // The arena of one of the segments was closed, or its mapped file truncated.
      return AccessFault.MEMORY_GONE;
    }
    return AccessFault.NONE;
  }

  /**
   * Copies all bytes to one piece of memory with enough room, as {@link #copyTo(SpanList, boolean)}
   * does.
   */
  public AccessFault copyTo(MemorySegment target, long to, boolean endsMessage) {
    long end = to + total;
    try {
      MemorySegment first = firstSegment;
      if (first != null && firstLength > 0) {
        copyPiece(first, firstOffset, target, to, firstLength, endsMessage && firstLength == total);
      }
      long at = to + firstLength;
      for (int i = 1; i < count; i++) {
        if (lengths[i] > 0) {
          boolean last = endsMessage && at + lengths[i] == end;
          copyPiece(segment(i), offsets[i], target, at, lengths[i], last);
          at += lengths[i];
        }
      }
      LateErrors.raise();
    } catch (IllegalStateException | InternalError e) {
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
    long tail = length - Long.BYTES;
    if (tail >= 0 && (target.address() + to + tail) % Long.BYTES == 0) {
      copyWithTail(source, from, target, to, tail);
      return;
    }
    // Read the last byte first: source and target may overlap, and the bulk copy may overwrite it.
    byte last = source.get(ValueLayout.JAVA_BYTE, from + length - 1);
    if (length > 1) {
      MemorySegment.copy(source, from, target, to, length - 1);
    }
    // Not a release store of a byte, see LateErrors.
    VarHandle.releaseFence();
    target.set(ValueLayout.JAVA_BYTE, to + length - 1, last);
  }

  /**
   * As {@link #copyPiece} if the end is an aligned long, whose bytes are stored at once: the rest
   * then has a length that processors copy fast, and 8 bytes are one store.
   */
  private static void copyWithTail(
      MemorySegment source, long from, MemorySegment target, long to, long tail) {
    long last = source.get(ValueLayout.JAVA_LONG_UNALIGNED, from + tail);
    if (tail > 0) {
      MemorySegment.copy(source, from, target, to, tail);
    }
    VarHandle.releaseFence();
    target.set(ValueLayout.JAVA_LONG_UNALIGNED, to + tail, last);
  }

  /**
   * After a failed {@link #copyTo}: whether these bytes still exist, so that the target is gone.
   */
  public boolean isReadable() {
    try {
      for (int i = 0; i < count; i++) {
        touch(segment(i), offset(i), length(i));
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
        LateErrors.touch(segment, from + at);
      }
      LateErrors.touch(segment, from + length - 1);
    }
  }

  /** Number of pieces. */
  public int count() {
    return count;
  }

  /** The memory that contains a piece. */
  public MemorySegment segment(int index) {
    MemorySegment segment = index == 0 ? firstSegment : segments[index];
    if (segment == null) {
      throw new IndexOutOfBoundsException(index);
    }
    return segment;
  }

  /** Where a piece begins in its memory. */
  public long offset(int index) {
    return index == 0 ? firstOffset : offsets[index];
  }

  /** Bytes of a piece. */
  public long length(int index) {
    return index == 0 ? firstLength : lengths[index];
  }

  private void grow() {
    segments = Arrays.copyOf(segments, count * 2);
    offsets = Arrays.copyOf(offsets, count * 2);
    lengths = Arrays.copyOf(lengths, count * 2);
  }
}
