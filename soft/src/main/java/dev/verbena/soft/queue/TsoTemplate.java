package dev.verbena.soft.queue;

import dev.verbena.soft.memory.LateErrors;
import java.lang.foreign.MemorySegment;

/**
 * The header template of a TSO request: a copy of the application's header, and the number of
 * stream bytes after each header. Only requests of queue pairs created for TSO have one.
 */
public final class TsoTemplate {
  private final MemorySegment header;
  private int length;
  private int mss;

  TsoTemplate(int capacity) {
    header = MemorySegment.ofArray(new byte[capacity]);
  }

  /**
   * Copies a header; the caller has checked that it fits.
   *
   * @throws IllegalStateException if the application closed the memory
   * @throws InternalError if its mapped file was truncated
   */
  public void set(MemorySegment from, int segmentSize) {
    length = (int) from.byteSize();
    MemorySegment.copy(from, 0, header, 0, length);
    LateErrors.raise();
    mss = segmentSize;
  }

  /** Memory that starts with the header. */
  public MemorySegment header() {
    return header;
  }

  /** Bytes of the header. */
  public int length() {
    return length;
  }

  /** Bytes of the stream after each header but the last. */
  public int mss() {
    return mss;
  }

  /** The number of segments for a stream of this length; one for an empty stream. */
  public int segments(long total) {
    return (int) Math.max(1, (total + mss - 1) / mss);
  }
}
