package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/** Atomic acknowledge header, 8 bytes: the original value of the target, big-endian (S12.2). */
public final class AtomicAckEth {
  /** Bytes of this header. */
  public static final int LENGTH = 8;

  /** Stands for this header in {@link Opcode.Row#headers}. */
  public static final int BIT = 1 << 16;

  private AtomicAckEth() {}

  /** Writes the original value. */
  public static void write(MemorySegment segment, long offset, long original) {
    segment.set(Layouts.LONG, offset, original);
  }

  /** The value of the target before the atomic. */
  public static long original(MemorySegment segment, long offset) {
    return segment.get(Layouts.LONG, offset);
  }
}
