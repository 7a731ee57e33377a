package dev.verbena.soft.sim;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The expected contents of memory that one connection writes. */
final class Shadow {
  private final byte[] bytes;

  Shadow(int size) {
    bytes = new byte[size];
  }

  private Shadow(byte[] bytes) {
    this.bytes = bytes;
  }

  Shadow copy() {
    return new Shadow(bytes.clone());
  }

  void apply(Change change) {
    System.arraycopy(change.bytes(), 0, bytes, change.offset(), change.bytes().length);
  }

  byte get(int offset) {
    return bytes[offset];
  }

  byte[] read(int offset, int length) {
    byte[] copy = new byte[length];
    System.arraycopy(bytes, offset, copy, 0, length);
    return copy;
  }

  long word(int offset) {
    return word(read(offset, Long.BYTES));
  }

  /** The word with this representation in memory. */
  static long word(byte[] inMemory) {
    return ByteBuffer.wrap(inMemory).order(ByteOrder.nativeOrder()).getLong();
  }

  /** The representation of a word in memory. */
  static byte[] bytes(long word) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(word).array();
  }

  /** First place where the memory differs, or -1. */
  int firstDifference(MemorySegment memory) {
    return (int) MemorySegment.ofArray(bytes).mismatch(memory.asSlice(0, bytes.length));
  }

  /**
   * Whether the memory matches this shadow, except for the bytes of a change that a message under
   * way may or may not have made.
   */
  boolean explains(MemorySegment memory, Change underWay) {
    byte[] all = memory.toArray(ValueLayout.JAVA_BYTE);
    for (int i = 0; i < bytes.length; i++) {
      byte found = all[i];
      int at = i - underWay.offset();
      boolean mayDiffer = at >= 0 && at < underWay.bytes().length;
      if (found != bytes[i] && !(mayDiffer && found == underWay.bytes()[at])) {
        return false;
      }
    }
    return true;
  }

  /** Adopts the contents of the memory. */
  void adopt(MemorySegment memory) {
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
  }
}
