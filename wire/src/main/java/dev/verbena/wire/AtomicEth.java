package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/**
 * Atomic extended transport header, 28 bytes: VA 64 | R_Key 32 | swap or add 64 | compare 64,
 * big-endian (S12.2). Operands are plain numbers here; their order in memory is the host's.
 */
public final class AtomicEth {
  /** Bytes of this header. */
  public static final int LENGTH = 28;

  /** Stands for this header in {@link Opcode.Row#headers}. */
  public static final int BIT = 1 << 12;

  private AtomicEth() {}

  /**
   * Writes the whole header.
   *
   * @param va remote virtual address
   * @param rkey remote key
   * @param swapOrAdd the value to store (compare and swap) or to add (fetch and add)
   * @param compare the value to compare with; 0 for fetch and add
   */
  public static void write(
      MemorySegment segment, long offset, long va, int rkey, long swapOrAdd, long compare) {
    segment.set(Layouts.LONG, offset, va);
    segment.set(Layouts.INT, offset + 8, rkey);
    segment.set(Layouts.LONG, offset + 12, swapOrAdd);
    segment.set(Layouts.LONG, offset + 20, compare);
  }

  /** Remote virtual address. */
  public static long va(MemorySegment segment, long offset) {
    return segment.get(Layouts.LONG, offset);
  }

  /** Remote key. */
  public static int rkey(MemorySegment segment, long offset) {
    return segment.get(Layouts.INT, offset + 8);
  }

  /** The value to store or to add. */
  public static long swapOrAdd(MemorySegment segment, long offset) {
    return segment.get(Layouts.LONG, offset + 12);
  }

  /** The value to compare with. */
  public static long compare(MemorySegment segment, long offset) {
    return segment.get(Layouts.LONG, offset + 20);
  }
}
