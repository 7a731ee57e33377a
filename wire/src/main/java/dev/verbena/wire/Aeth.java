package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/** ACK extended transport header, 4 bytes: syndrome 8 | MSN 24, big-endian (S12.2). */
public final class Aeth {
  /** Bytes of this header. */
  public static final int LENGTH = 4;

  /** Stands for this header in {@link Opcode.Row#headers}. */
  public static final int BIT = 1 << 15;

  private Aeth() {}

  /**
   * Writes the whole header.
   *
   * @param syndrome 0..255, see {@link AethSyndrome}
   * @param msn message sequence number, low 24 bits count
   */
  public static void write(MemorySegment segment, long offset, int syndrome, int msn) {
    segment.set(Layouts.INT, offset, word(syndrome, msn));
  }

  /** The header as one number, from what {@link #write} takes. */
  public static int word(int syndrome, int msn) {
    return syndrome << 24 | (msn & Layouts.LOW_24);
  }

  /** The header as one number, for {@link #syndrome(int)} and {@link #msn(int)}. */
  public static int word(MemorySegment segment, long offset) {
    return segment.get(Layouts.INT, offset);
  }

  /** Syndrome, 0..255. */
  public static int syndrome(int word) {
    return word >>> 24;
  }

  /** Message sequence number, 24 bits. */
  public static int msn(int word) {
    return word & Layouts.LOW_24;
  }

  /** Syndrome, 0..255. */
  public static int syndrome(MemorySegment segment, long offset) {
    return segment.get(Layouts.BYTE, offset) & 0xFF;
  }

  /** Message sequence number, 24 bits. */
  public static int msn(MemorySegment segment, long offset) {
    return segment.get(Layouts.INT, offset) & Layouts.LOW_24;
  }
}
