package dev.verbena.tck.torture;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.LongPredicate;

/** Bytes that identify their message and their place in it. */
final class Pattern {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int PLACE_BITS = 20;

  /** Most bytes of a message. */
  static final int LONGEST = Long.BYTES << PLACE_BITS;

  private Pattern() {}

  /** Fills memory with a message. */
  static void fill(MemorySegment memory, long message) {
    long length = memory.byteSize();
    long at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      memory.set(WORD, at, word(message, at));
    }
    for (; at < length; at++) {
      memory.set(ValueLayout.JAVA_BYTE, at, tail(message, at));
    }
  }

  /** Describes the first error in memory that should hold a message; empty if there is none. */
  static String problem(MemorySegment memory, long message) {
    long length = memory.byteSize();
    long at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      long found = memory.get(WORD, at);
      if (found != word(message, at)) {
        return "byte %d of %d: message %d, place %d instead of message %d"
            .formatted(
                at,
                length,
                found >>> PLACE_BITS,
                (found & ((1 << PLACE_BITS) - 1)) * Long.BYTES,
                message);
      }
    }
    for (; at < length; at++) {
      if (memory.get(ValueLayout.JAVA_BYTE, at) != tail(message, at)) {
        return "byte %d of %d is not of message %d".formatted(at, length, message);
      }
    }
    return "";
  }

  /**
   * Describes the first word that is not at its place, or neither untouched nor of an allowed
   * message; empty if there is none.
   *
   * @param memory whole words
   */
  static String strangeness(MemorySegment memory, LongPredicate allowed) {
    for (long at = 0; at < memory.byteSize(); at += Long.BYTES) {
      long found = memory.get(WORD, at);
      long message = found >>> PLACE_BITS;
      boolean known = message == Slots.NOBODY || allowed.test(message);
      if (!known || found != word(message, at)) {
        return "byte %d of %d: message %d, place %d"
            .formatted(
                at, memory.byteSize(), message, (found & ((1 << PLACE_BITS) - 1)) * Long.BYTES);
      }
    }
    return "";
  }

  /** The message whose bytes these are, by the first eight of them. */
  static long message(MemorySegment memory) {
    return memory.get(WORD, 0) >>> PLACE_BITS;
  }

  private static long word(long message, long at) {
    return message << PLACE_BITS | at / Long.BYTES;
  }

  private static byte tail(long message, long at) {
    return (byte) (message * 31 + at);
  }
}
