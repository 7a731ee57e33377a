package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/** XRC extended transport header, 4 bytes: reserved 8 | XRCSRQ 24, big-endian (S12.2, S7.10). */
public final class Xrceth {
  /** Bytes of this header. */
  public static final int LENGTH = 4;

  /** Stands for this header in {@link Opcode.Row#headers}. */
  public static final int BIT = 1 << 8;

  private Xrceth() {}

  /** Writes the number of the XRC shared receive queue; the low 24 bits count. */
  public static void write(MemorySegment segment, long offset, int srqn) {
    segment.set(Layouts.INT, offset, srqn & Layouts.LOW_24);
  }

  /** Number of the XRC shared receive queue, 24 bits. */
  public static int srqn(MemorySegment segment, long offset) {
    return segment.get(Layouts.INT, offset) & Layouts.LOW_24;
  }
}
