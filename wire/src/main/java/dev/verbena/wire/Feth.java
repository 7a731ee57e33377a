package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/**
 * FLUSH extended transport header, 4 bytes, big-endian (S12.2): reserved 26 | selectivity level 2 |
 * placement type 4.
 */
public final class Feth {
  /** Bytes of this header. */
  public static final int LENGTH = 4;

  /** Stands for this header in {@link Opcode.Row#headers}. */
  public static final int BIT = 1 << 10;

  /** Selectivity level: the range that the RETH names. */
  public static final int LEVEL_RANGE = 0;

  /** Selectivity level: the whole memory region; the RETH's address and length are ignored. */
  public static final int LEVEL_MR = 1;

  /** Placement type bit: make data globally visible. */
  public static final int TYPE_GLOBAL = 1;

  /** Placement type bit: make data persistent. */
  public static final int TYPE_PERSISTENT = 2;

  private static final int LEVEL_SHIFT = 4;

  private Feth() {}

  /**
   * Writes the whole header.
   *
   * @param level {@link #LEVEL_RANGE} or {@link #LEVEL_MR}; the low 2 bits count
   * @param type {@link #TYPE_GLOBAL} and {@link #TYPE_PERSISTENT}; the low 4 bits count
   */
  public static void write(MemorySegment segment, long offset, int level, int type) {
    segment.set(Layouts.INT, offset, (level & 3) << LEVEL_SHIFT | (type & 0x0F));
  }

  /** Selectivity level, 0..3. */
  public static int level(MemorySegment segment, long offset) {
    return segment.get(Layouts.INT, offset) >> LEVEL_SHIFT & 3;
  }

  /** Placement type bits, 0..15. */
  public static int type(MemorySegment segment, long offset) {
    return segment.get(Layouts.INT, offset) & 0x0F;
  }
}
