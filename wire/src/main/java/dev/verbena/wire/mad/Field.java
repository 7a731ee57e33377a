package dev.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A field of a header or an attribute: some bits, most significant first, counted from the start of
 * its {@link Format}. The value of a field of up to 64 bits is a number, that of a longer one
 * bytes.
 */
public final class Field {
  private final String name;
  private final int firstBit;
  private final int bits;
  private final int component;
  private final int components;

  /**
   * @param component the first of its bits of the component mask
   * @param components how many such bits it has, each for an equal part of it; 0 in a header
   */
  Field(String name, int firstBit, int bits, int component, int components) {
    this.name = name;
    this.firstBit = firstBit;
    this.bits = bits;
    this.component = component;
    this.components = components;
  }

  /** Its name in the specification, such as {@code DLID}. */
  public String name() {
    return name;
  }

  /** Its number of bits. */
  public int bits() {
    return bits;
  }

  /** Whether its value is a number, because it has at most 64 bits. */
  public boolean isNumber() {
    return bits <= Long.SIZE;
  }

  /** The bits of the component mask by which a query names the whole field; 0 in a header. */
  public long mask() {
    return components == 0 ? 0 : ((1L << components) - 1) << component;
  }

  /** The same field of a format that begins {@code bytes} and {@code skipped} components later. */
  Field moved(int bytes, int skipped) {
    return new Field(name, firstBit + bytes * Byte.SIZE, bits, component + skipped, components);
  }

  /** Whether two attributes agree in the parts of this field that a component mask names. */
  boolean agrees(MemorySegment one, MemorySegment other, long mask) {
    int part = components == 0 ? 0 : bits / components;
    for (int n = 0; n < components; n++) {
      if ((mask & 1L << (component + n)) != 0 && !sameBits(one, other, firstBit + n * part, part)) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameBits(MemorySegment one, MemorySegment other, int first, int count) {
    for (int bit = first; bit < first + count; bit += Long.SIZE) {
      int taken = Math.min(Long.SIZE, first + count - bit);
      if (read(one, 0, bit, taken) != read(other, 0, bit, taken)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The value, unsigned.
   *
   * @param offset where the format begins
   */
  public long get(MemorySegment segment, long offset) {
    requireNumber();
    return read(segment, offset, firstBit, bits);
  }

  private static long read(MemorySegment segment, long offset, int first, int count) {
    long value = 0;
    int bit = first;
    int left = count;
    while (left > 0) {
      int inByte = bit % Byte.SIZE;
      int taken = Math.min(Byte.SIZE - inByte, left);
      int shift = Byte.SIZE - inByte - taken;
      int part = byteAt(segment, offset, bit) >>> shift & ((1 << taken) - 1);
      value = value << taken | part;
      bit += taken;
      left -= taken;
    }
    return value;
  }

  /**
   * Writes the value and leaves the bits around it alone.
   *
   * @param offset where the format begins
   * @param value its low bits count, as many as the field has
   */
  public void set(MemorySegment segment, long offset, long value) {
    requireNumber();
    int end = firstBit + bits;
    long rest = value;
    while (end > firstBit) {
      int start = Math.max(firstBit, (end - 1) / Byte.SIZE * Byte.SIZE);
      int taken = end - start;
      int shift = (Byte.SIZE - end % Byte.SIZE) % Byte.SIZE;
      int mask = ((1 << taken) - 1) << shift;
      int old = byteAt(segment, offset, start);
      int now = (old & ~mask) | ((int) (rest << shift) & mask);
      segment.set(ValueLayout.JAVA_BYTE, offset + start / Byte.SIZE, (byte) now);
      rest >>>= taken;
      end = start;
    }
  }

  /**
   * The bytes of a field of whole bytes.
   *
   * @param offset where the format begins
   */
  public byte[] getBytes(MemorySegment segment, long offset) {
    requireBytes();
    long from = offset + firstBit / Byte.SIZE;
    return segment.asSlice(from, bits / Byte.SIZE).toArray(ValueLayout.JAVA_BYTE);
  }

  /**
   * Writes a field of whole bytes.
   *
   * @param offset where the format begins
   * @param value as many bytes as it has, or fewer: zeros follow
   * @throws IllegalArgumentException if there are more
   */
  public void setBytes(MemorySegment segment, long offset, byte[] value) {
    requireBytes();
    int length = bits / Byte.SIZE;
    if (value.length > length) {
      throw new IllegalArgumentException(
          "%s: %d bytes, it has %d".formatted(name, value.length, length));
    }
    MemorySegment target = segment.asSlice(offset + firstBit / Byte.SIZE, length);
    target.fill((byte) 0);
    MemorySegment.copy(value, 0, target, ValueLayout.JAVA_BYTE, 0, value.length);
  }

  @Override
  public String toString() {
    return name;
  }

  private void requireNumber() {
    if (!isNumber()) {
      throw new IllegalArgumentException(name + " has " + bits + " bits, which are no number");
    }
  }

  private void requireBytes() {
    if (firstBit % Byte.SIZE != 0 || bits % Byte.SIZE != 0) {
      throw new IllegalArgumentException(name + " has " + bits + " bits, not whole bytes");
    }
  }

  private static int byteAt(MemorySegment segment, long offset, int bit) {
    return segment.get(ValueLayout.JAVA_BYTE, offset + bit / Byte.SIZE) & 0xFF;
  }
}
