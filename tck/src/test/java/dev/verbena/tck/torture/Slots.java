package dev.verbena.tck.torture;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.Sge;
import java.lang.foreign.MemorySegment;

/**
 * Registered memory of one end, with a place for each operation of a batch, so that all bytes of
 * all of them can be looked at when the batch is done.
 */
final class Slots {
  /** The content of what nothing was written into: a message that there never is. */
  static final long NOBODY = (1L << 43) - 1;

  /** Bytes behind each message that must stay as they were. */
  private static final int GUARD = 64;

  private final MemoryRegion region;
  private final long slotBytes;
  private final MemorySegment untouched;

  /**
   * Registers memory.
   *
   * @param size longest message
   * @param extra bytes behind the slots
   */
  Slots(ProtectionDomain pd, int count, int size, int extra, int... access) {
    slotBytes = (long) size + GUARD;
    region = pd.allocMr(count * slotBytes + extra, access);
    untouched = MemorySegment.ofArray(new byte[(int) slotBytes]);
    Pattern.fill(untouched, NOBODY);
  }

  MemoryRegion region() {
    return region;
  }

  /** Offset of a slot. */
  long offset(int slot) {
    return slot * slotBytes;
  }

  Sge sge(int slot, long length) {
    return new Sge(region.addr() + offset(slot), length, region.lkey());
  }

  MemorySegment memory(int slot) {
    return region.memory().asSlice(offset(slot), slotBytes);
  }

  void clear(int slot) {
    memory(slot).copyFrom(untouched);
  }

  void fill(int slot, Operation op) {
    Pattern.fill(memory(slot).asSlice(0, op.length), op.message);
  }

  /** What is wrong with a slot that has so many bytes of a message and no other, or nothing. */
  String problem(int slot, long message, int length) {
    String problem = Pattern.problem(memory(slot).asSlice(0, length), message);
    if (!problem.isEmpty()) {
      return problem;
    }
    MemorySegment behind = memory(slot).asSlice(length, GUARD);
    long changed = behind.mismatch(untouched.asSlice(length, GUARD));
    return changed < 0 ? "" : "byte " + changed + " behind the " + length + " has changed";
  }
}
