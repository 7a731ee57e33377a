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

  void write(int offset, byte[] data) {
    System.arraycopy(data, 0, bytes, offset, data.length);
  }

  byte[] read(int offset, int length) {
    byte[] copy = new byte[length];
    System.arraycopy(bytes, offset, copy, 0, length);
    return copy;
  }

  long word(int offset) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getLong(offset);
  }

  void word(int offset, long value) {
    ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putLong(offset, value);
  }

  /** First place where the memory differs, or -1. */
  int firstDifference(MemorySegment memory) {
    return (int) MemorySegment.ofArray(bytes).mismatch(memory.asSlice(0, bytes.length));
  }

  /**
   * Whether the memory is what this shadow says, but for a range in which each byte may also be as
   * {@code next} says: the target of a message that was under way.
   */
  boolean explains(MemorySegment memory, Shadow next, int offset, int length) {
    for (int i = 0; i < bytes.length; i++) {
      byte found = memory.get(ValueLayout.JAVA_BYTE, i);
      boolean underWay = i >= offset && i < offset + length;
      if (found != bytes[i] && !(underWay && found == next.bytes[i])) {
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
