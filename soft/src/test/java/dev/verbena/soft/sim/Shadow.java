package dev.verbena.soft.sim;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What a piece of memory that one connection writes should hold. */
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

  /** The word that lies in memory like this. */
  static long word(byte[] inMemory) {
    return ByteBuffer.wrap(inMemory).order(ByteOrder.nativeOrder()).getLong();
  }

  /** A word as it lies in memory. */
  static byte[] bytes(long word) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(word).array();
  }

  /** First place where the memory differs, or -1. */
  int firstDifference(MemorySegment memory) {
    return (int) MemorySegment.ofArray(bytes).mismatch(memory.asSlice(0, bytes.length));
  }

  /**
   * Whether the memory is what this shadow says, but for the bytes of a change that may or may not
   * be there: that of a message that was under way.
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

  /** Takes over what the memory holds. */
  void adopt(MemorySegment memory) {
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
  }
}
