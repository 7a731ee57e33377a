package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/**
 * A congestion notification packet (S12.9): a BTH with BECN and without PSN, and reserved bytes.
 */
public final class Cnp {
  /** Bytes without ICRC. */
  public static final int LENGTH = Opcode.row(Opcode.CNP).headerLength;

  private Cnp() {}

  /**
   * Writes the whole packet but for the ICRC.
   *
   * @param pkey partition key, low 16 bits count
   * @param destQpn queue pair that has sent what was marked, low 24 bits count
   */
  public static void write(MemorySegment segment, long offset, int pkey, int destQpn) {
    segment.asSlice(offset, LENGTH).fill((byte) 0);
    Bth.write(segment, offset, Opcode.CNP, 0, 0, pkey, destQpn, 0);
    Bth.congestion(segment, offset, false, true);
  }
}
