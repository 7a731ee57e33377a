package dev.verbena.soft.sim;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.Sge;
import java.lang.foreign.MemorySegment;

/**
 * A posted receive.
 *
 * @param wrId what its completion must carry
 * @param memory the place for its message
 * @param mayHaveBeenUsed whether it may hold parts of a dropped message, after which it was put
 *     back
 */
record Place(long wrId, MemorySegment memory, boolean mayHaveBeenUsed) {
  /** Bytes of a receive. */
  static final int BYTES = 16 * 1024;

  /** The contents of the memory of a receive before its message. */
  static final byte UNTOUCHED = 0x5a;

  private static final MemorySegment CLEAR = MemorySegment.ofArray(new byte[BYTES]).fill(UNTOUCHED);

  private static final long MARK = 1L << 62;

  /** The receive with this number, in this slot of a region. */
  static Place of(MemoryRegion inbox, long number, int slot) {
    return of(inbox, number, slot, false);
  }

  static Place of(MemoryRegion inbox, long number, int slot, boolean mayHaveBeenUsed) {
    MemorySegment memory = inbox.memory().asSlice((long) slot * BYTES, BYTES);
    return new Place(number | MARK, memory, mayHaveBeenUsed);
  }

  /** Whether a part of a receive is unchanged since it was posted. */
  static boolean isUntouched(MemorySegment part) {
    return CLEAR.asSlice(0, part.byteSize()).mismatch(part) < 0;
  }

  /** Its number again. */
  static long number(long wrId) {
    return wrId & ~MARK;
  }

  /** Whether a wr_id is that of a receive. */
  static boolean isReceive(long wrId) {
    return (wrId & MARK) != 0;
  }

  /** The request for it, in two pieces; clears the memory. */
  RecvWr toRecvWr(MemoryRegion inbox) {
    memory.fill(UNTOUCHED);
    int cut = BYTES / 3;
    long addr = memory.address();
    return new RecvWr()
        .wrId(wrId)
        .sgList(new Sge(addr, cut, inbox.lkey()), new Sge(addr + cut, BYTES - cut, inbox.lkey()));
  }
}
