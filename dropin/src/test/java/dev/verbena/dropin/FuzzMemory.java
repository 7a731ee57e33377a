package dev.verbena.dropin;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.StructLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Memory of a program that is laid out as bytes of a fuzzer say; behind their end are zeros. */
final class FuzzMemory {
  private static final int BYTES = 128 << 10;
  private static final MemorySegment MEMORY = Arena.global().allocate(BYTES, Long.BYTES);

  private final byte[] input;
  private int at;
  private long used;

  FuzzMemory(byte[] input) {
    this.input = input;
    MEMORY.fill((byte) 0);
  }

  /** The next byte. */
  int next() {
    return at < input.length ? input[at++] & 0xff : 0;
  }

  /** A number from 0 to {@code bound} - 1. */
  int below(int bound) {
    return next() % bound;
  }

  /** Whether the next byte says so, one in {@code chances}. */
  boolean oneIn(int chances) {
    return below(chances) == 1;
  }

  /** What the lowest byte of a number that has any meaning chooses. */
  static int choice(long number) {
    return (int) number & 0xff;
  }

  int nextInt() {
    return next() | next() << 8 | next() << 16 | next() << 24;
  }

  long nextLong() {
    return Integer.toUnsignedLong(nextInt()) | (long) nextInt() << 32;
  }

  /** A count: mostly a small one, sometimes any. */
  int count(int most) {
    return oneIn(16) ? nextInt() : below(most + 1);
  }

  /** The address of so many zeros. */
  long zeros(long bytes) {
    long address = MEMORY.address() + used;
    used += bytes + Long.BYTES - 1 & -Long.BYTES;
    if (used > BYTES) {
      throw new IllegalStateException("the input needs " + used + " bytes");
    }
    return address;
  }

  /** The address of a struct of the next bytes. */
  long struct(StructLayout layout) {
    return bytes(layout.size());
  }

  /** The address of the next bytes. */
  long bytes(long count) {
    long address = zeros(count);
    for (long i = 0; i < count; i++) {
      Host.setByte(address + i, next());
    }
    return address;
  }

  /** What the memory has now. */
  static byte[] copy() {
    return MEMORY.toArray(ValueLayout.JAVA_BYTE);
  }

  /**
   * Fails if the memory has changed since it was copied.
   *
   * @param outputs the address and the number of bytes of each place that may have changed
   */
  static void requireUnchanged(byte[] before, long... outputs) {
    byte[] now = copy();
    for (int i = 0; i < outputs.length; i += 2) {
      int size = (int) outputs[i + 1];
      int begin = size == 0 ? 0 : (int) (outputs[i] - MEMORY.address());
      System.arraycopy(before, begin, now, begin, size);
    }
    if (!Arrays.equals(before, now)) {
      throw new AssertionError("the program's memory has changed");
    }
  }

  /** An address that no program has, or any. */
  long wild() {
    return oneIn(2) ? 8 : nextLong();
  }
}
