package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/**
 * Datagram extended transport header, 8 bytes: Q_Key 32 | reserved 8 | SrcQP 24, big-endian
 * (S12.2).
 */
public final class Deth {
  /** Bytes of this header. */
  public static final int LENGTH = 8;

  /** Stands for this header in {@link Opcode.Row#headers}. */
  public static final int BIT = 1 << 9;

  private Deth() {}

  /**
   * Writes the whole header.
   *
   * @param qkey queue key
   * @param srcQpn queue pair of the sender, low 24 bits count
   */
  public static void write(MemorySegment segment, long offset, int qkey, int srcQpn) {
    segment.set(Layouts.INT, offset, qkey);
    segment.set(Layouts.INT, offset + 4, srcQpn & Layouts.LOW_24);
  }

  /** Queue key. */
  public static int qkey(MemorySegment segment, long offset) {
    return segment.get(Layouts.INT, offset);
  }

  /** Queue pair number of the sender, 24 bits. */
  public static int srcQpn(MemorySegment segment, long offset) {
    return segment.get(Layouts.INT, offset + 4) & Layouts.LOW_24;
  }
}
