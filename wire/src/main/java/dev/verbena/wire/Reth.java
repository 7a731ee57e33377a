package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/** RDMA extended transport header, 16 bytes: VA 64 | R_Key 32 | DMALen 32, big-endian (S12.2). */
public final class Reth {
  /** Bytes of this header. */
  public static final int LENGTH = 16;

  /** Stands for this header in {@link Opcode.Row#headers}. */
  public static final int BIT = 1 << 11;

  /** Bytes of the longest message that a RETH may announce (S12.6.7). */
  public static final long MAX_DMA_LENGTH = 1L << 31;

  private Reth() {}

  /**
   * Writes the whole header.
   *
   * @param va remote virtual address
   * @param rkey remote key
   * @param dmaLength bytes of the whole message, at most {@link #MAX_DMA_LENGTH}; the low 32 bits
   *     count
   */
  public static void write(MemorySegment segment, long offset, long va, int rkey, long dmaLength) {
    segment.set(Layouts.LONG, offset, va);
    segment.set(Layouts.INT, offset + 8, rkey);
    segment.set(Layouts.INT, offset + 12, (int) dmaLength);
  }

  /** Remote virtual address. */
  public static long va(MemorySegment segment, long offset) {
    return segment.get(Layouts.LONG, offset);
  }

  /** Remote key. */
  public static int rkey(MemorySegment segment, long offset) {
    return segment.get(Layouts.INT, offset + 8);
  }

  /**
   * Bytes of the whole message as sent, 0..2^32-1; more than {@link #MAX_DMA_LENGTH} is illegal.
   */
  public static long dmaLength(MemorySegment segment, long offset) {
    return segment.get(Layouts.INT, offset + 12) & 0xFFFFFFFFL;
  }
}
