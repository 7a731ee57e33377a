package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/**
 * How much the receive buffer of the sender holds, 8 bytes, big-endian: "VRBN" | KiB 32. It is in a
 * packet of its own that only devices like this one send and know ({@link Opcode#VERBENA_BUFFER}).
 * The four letters tell it from packets of other manufacturers.
 */
public final class BufferSize {
  /** Bytes of this header. */
  public static final int LENGTH = 8;

  /** Stands for this header in {@link Opcode.Row#headers}. */
  public static final int BIT = 1 << 17;

  private static final int LETTERS = 0x5652_424E;
  private static final int KIB_SHIFT = 10;

  private BufferSize() {}

  /**
   * Writes the whole header.
   *
   * @param bytes of the buffer, at least 0; whole KiB count
   */
  public static void write(MemorySegment segment, long offset, int bytes) {
    segment.set(Layouts.INT, offset, LETTERS);
    segment.set(Layouts.INT, offset + 4, bytes >>> KIB_SHIFT);
  }

  /** Bytes of the buffer, at most 2^31 - 1; -1 if another manufacturer's device has sent this. */
  public static int bytes(MemorySegment segment, long offset) {
    if (segment.get(Layouts.INT, offset) != LETTERS) {
      return -1;
    }
    long kib = Integer.toUnsignedLong(segment.get(Layouts.INT, offset + 4));
    return (int) Math.min(kib << KIB_SHIFT, Integer.MAX_VALUE);
  }
}
