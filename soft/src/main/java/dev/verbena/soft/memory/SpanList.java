package dev.verbena.soft.memory;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of memory, logically one behind the other, that were checked and may be read or written.
 * Reused; must be {@link #clear}ed before the guard under which it was filled is released, because
 * a registration may end afterwards.
 */
public final class SpanList {
  private @Nullable MemorySegment[] segments = new @Nullable MemorySegment[8];
  private long[] offsets = new long[8];
  private long[] lengths = new long[8];
  private int count;
  private long total;

  /** No piece. */
  public SpanList() {}

  /** Forgets all pieces. */
  public void clear() {
    for (int i = 0; i < count; i++) {
      segments[i] = null;
    }
    count = 0;
    total = 0;
  }

  /** Adds a piece. */
  public void add(MemorySegment segment, long offset, long length) {
    if (count == offsets.length) {
      grow();
    }
    segments[count] = segment;
    offsets[count] = offset;
    lengths[count] = length;
    count++;
    total += length;
  }

  /** Bytes in all pieces. */
  public long total() {
    return total;
  }

  /** Number of pieces. */
  public int count() {
    return count;
  }

  /** The memory that a piece is part of. */
  public MemorySegment segment(int index) {
    MemorySegment segment = segments[index];
    if (segment == null) {
      throw new IndexOutOfBoundsException(index);
    }
    return segment;
  }

  /** Where a piece begins in its memory. */
  public long offset(int index) {
    return offsets[index];
  }

  /** Bytes of a piece. */
  public long length(int index) {
    return lengths[index];
  }

  private void grow() {
    segments = Arrays.copyOf(segments, count * 2);
    offsets = Arrays.copyOf(offsets, count * 2);
    lengths = Arrays.copyOf(lengths, count * 2);
  }
}
