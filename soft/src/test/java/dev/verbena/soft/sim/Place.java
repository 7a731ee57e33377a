package dev.verbena.soft.sim;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.Sge;
import java.lang.foreign.MemorySegment;

/**
 * A posted receive.
 *
 * @param wrId what its completion must carry
 * @param memory where its message lands
 */
record Place(long wrId, MemorySegment memory) {
  /** Bytes of a receive. */
  static final int BYTES = 16 * 1024;

  /** What the memory of a receive holds before its message. */
  static final byte UNTOUCHED = 0x5a;

  private static final long MARK = 1L << 62;

  /** A receive in the next place of a region of {@code depth} places. */
  static Place next(MemoryRegion inbox, long number, int depth) {
    MemorySegment memory = inbox.memory().asSlice(number % depth * BYTES, BYTES);
    memory.fill(UNTOUCHED);
    return new Place(number | MARK, memory);
  }

  /** Whether a wr_id is that of a receive. */
  static boolean isReceive(long wrId) {
    return (wrId & MARK) != 0;
  }

  /** The request for it, in two pieces. */
  RecvWr toRecvWr(MemoryRegion inbox) {
    int cut = BYTES / 3;
    long addr = memory.address();
    return new RecvWr()
        .wrId(wrId)
        .sgList(new Sge(addr, cut, inbox.lkey()), new Sge(addr + cut, BYTES - cut, inbox.lkey()));
  }
}
