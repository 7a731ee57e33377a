package dev.verbena.tools.demo;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The data to move: random bytes that both ends derive from one seed. Each message takes them from
 * another offset, so stale or misplaced data is detected, and nothing has to be written before a
 * message is sent.
 */
final class SeededPattern {
  /**
   * Number of different offsets at which a message may start: a prime, so that no round repeats
   * another.
   */
  private static final int SHIFTS = 509;

  private static final int SHIFT_BYTES = 8;

  private final MemorySegment bytes;

  /** Fills {@code memory}, which has {@link #bytesFor} of the largest message. */
  SeededPattern(MemorySegment memory, long seed) {
    bytes = memory;
    SplittableRandom random = new SplittableRandom(seed);
    long at = 0;
    for (; at + Long.BYTES <= bytes.byteSize(); at += Long.BYTES) {
      bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, at, random.nextLong());
    }
    for (; at < bytes.byteSize(); at++) {
      bytes.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
    }
  }

  /** Memory in bytes that the pattern needs for messages up to this size. */
  static long bytesFor(int largest) {
    return largest + (long) SHIFTS * SHIFT_BYTES;
  }

  /** Offset of the data of a message. */
  static long offset(int message) {
    return (long) (message % SHIFTS) * SHIFT_BYTES;
  }

  /** The data of a message. */
  MemorySegment slice(int message, long size) {
    return bytes.asSlice(offset(message), size);
  }

  /** The first 8 bytes of a message as a number. */
  long number(int message) {
    return bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, offset(message));
  }

  /** The first difference in the data of a message; null if there is none. */
  @Nullable String difference(int message, MemorySegment actual) {
    MemorySegment expected = slice(message, actual.byteSize());
    long at = expected.mismatch(actual);
    if (at < 0) {
      return null;
    }
    return "byte %d of %d is 0x%02x, not 0x%02x"
        .formatted(
            at,
            actual.byteSize(),
            actual.get(ValueLayout.JAVA_BYTE, at) & 0xff,
            expected.get(ValueLayout.JAVA_BYTE, at) & 0xff);
  }
}
