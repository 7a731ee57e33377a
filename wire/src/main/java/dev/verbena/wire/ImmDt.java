package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/** Immediate data, 4 bytes, big-endian: a C peer reads {@code ntohl(imm_data)} (S12.2, S1.7.3). */
public final class ImmDt {
  /** Bytes of this header. */
  public static final int LENGTH = 4;

  /** Stands for this header in {@link Opcode.Row#headers}. */
  public static final int BIT = 1 << 13;

  private ImmDt() {}

  /** Writes immediate data. */
  public static void write(MemorySegment segment, long offset, int immData) {
    segment.set(Layouts.INT, offset, immData);
  }

  /** Immediate data. */
  public static int immData(MemorySegment segment, long offset) {
    return segment.get(Layouts.INT, offset);
  }
}
