package dev.verbena.soft.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The local memory of one work request: its scatter/gather elements, or its inline data. Filled
 * while posting, reused for the next request in the same slot.
 */
public final class ScatterGather {
  private final long[] addrs;
  private final long[] lengths;
  private final int[] lkeys;
  private int count;

  /** Bytes in all. */
  public long total;

  private final @Nullable MemorySegment inlineBuffer;
  private boolean inline;

  /**
   * @param maxSge most elements
   * @param inlineBuffer memory for inline data, or null if there is none
   */
  public ScatterGather(int maxSge, @Nullable MemorySegment inlineBuffer) {
    addrs = new long[maxSge];
    lengths = new long[maxSge];
    lkeys = new int[maxSge];
    this.inlineBuffer = inlineBuffer;
  }

  /** Removes all data. */
  public void clear() {
    count = 0;
    total = 0;
    inline = false;
  }

  /** Adds an element; the caller has checked that it fits. */
  public void add(int lkey, long addr, long length) {
    lkeys[count] = lkey;
    addrs[count] = addr;
    lengths[count] = length;
    count++;
    total += length;
  }

  /**
   * Appends inline data; the caller has checked that it fits.
   *
   * @throws IllegalStateException if the application closed the memory
   * @throws InternalError if its mapped file was truncated
   */
  public void addInline(MemorySegment data, long offset, long length) {
    MemorySegment buffer = inlineBuffer;
    if (buffer == null) {
      throw new IllegalStateException("no inline buffer");
    }
    MemorySegment.copy(data, offset, buffer, total, length);
    LateErrors.raise();
    inline = true;
    total += length;
  }

  /** Sets the inline data to the bytes of a long, as this host stores them. */
  public void addInline(long value) {
    MemorySegment buffer = inlineBuffer;
    if (buffer == null) {
      throw new IllegalStateException("no inline buffer");
    }
    buffer.set(ValueLayout.JAVA_LONG_UNALIGNED, total, value);
    inline = true;
    total += Long.BYTES;
  }

  /** Makes this an inline request even if no byte was appended. */
  public void markInline() {
    inline = true;
  }

  /** Elements. */
  public int count() {
    return count;
  }

  /**
   * Adds to {@code spans} the pieces of the bytes from {@code offset} on. Elements of length 0 are
   * not checked (S5.2.1).
   *
   * @return NONE, or the first fault; {@code spans} then holds an unspecified part
   */
  public AccessFault resolve(
      KeyTable keys, Domain domain, int right, long offset, long length, SpanList spans) {
    if (inline) {
      MemorySegment buffer = inlineBuffer;
      if (buffer != null && length > 0) {
        spans.add(buffer, offset, length);
      }
      return AccessFault.NONE;
    }
    long skip = offset;
    long left = length;
    for (int i = 0; i < count && left > 0; i++) {
      if (skip >= lengths[i]) {
        skip -= lengths[i];
        continue;
      }
      long piece = Math.min(lengths[i] - skip, left);
      AccessFault fault = keys.resolveLocal(lkeys[i], domain, right, addrs[i] + skip, piece, spans);
      if (fault != AccessFault.NONE) {
        return fault;
      }
      left -= piece;
      skip = 0;
    }
    return AccessFault.NONE;
  }
}
