package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/** Invalidate header, 4 bytes: the R_Key that the peer invalidates, big-endian (S12.2). */
public final class Ieth {
  /** Bytes of this header. */
  public static final int LENGTH = 4;

  /** Stands for this header in {@link Opcode.Row#headers}. */
  public static final int BIT = 1 << 14;

  private Ieth() {}

  /** Writes the key to invalidate. */
  public static void write(MemorySegment segment, long offset, int rkey) {
    segment.set(Layouts.INT, offset, rkey);
  }

  /** The key to invalidate. */
  public static int rkey(MemorySegment segment, long offset) {
    return segment.get(Layouts.INT, offset);
  }
}
