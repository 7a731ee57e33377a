package dev.verbena.tck.torture;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.Sge;
import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;

/**
 * Registered memory of one end, with a place for each operation of a batch, so that all bytes of
 * all of them can be looked at when the batch is done.
 */
final class Slots {
  /** The content of what nothing was written into: a message that there never is. */
  static final long NOBODY = (1L << 43) - 1;

  /**
   * Bytes behind the longest message that must stay as they were, like all behind a shorter one.
   */
  private static final int GUARD = 64;

  private final MemoryRegion region;
  private final MemorySegment memory;
  private final long slotBytes;
  private final MemorySegment untouched;

  /**
   * Slots in registered memory.
   *
   * @param memory of the region
   * @param size longest message
   */
  Slots(MemoryRegion region, MemorySegment memory, int size) {
    this.region = region;
    this.memory = memory;
    slotBytes = bytes(1, size);
    untouched = MemorySegment.ofArray(new byte[(int) slotBytes]);
    Pattern.fill(untouched, NOBODY);
  }

  /** Registers new memory for some slots. */
  static Slots allocate(ProtectionDomain pd, int count, int size, int... access) {
    MemoryRegion region = pd.allocMr(bytes(count, size), access);
    return new Slots(region, region.memory(), size);
  }

  /** Bytes of so many slots, whole words each. */
  static long bytes(int count, int size) {
    return count * (((long) size + GUARD + Long.BYTES - 1) & -Long.BYTES);
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
    return memory.asSlice(offset(slot), slotBytes);
  }

  void clear(int slot) {
    memory(slot).copyFrom(untouched);
  }

  void fill(int slot, Operation op) {
    Pattern.fill(memory(slot).asSlice(0, op.length), op.message);
  }

  /** What the first bytes of a slot have that is of no allowed message, or nothing. */
  String strangeness(int slot, int length, LongPredicate allowed) {
    MemorySegment words = memory(slot).asSlice(0, length & -Long.BYTES);
    String problem = Pattern.strangeness(words, allowed);
    return problem.isEmpty() ? overrun(slot, length) : problem;
  }

  /** What is not as it was in a slot behind its first bytes, or nothing. */
  String overrun(int slot, int length) {
    long changed = memory(slot).asSlice(length).mismatch(untouched.asSlice(length));
    return changed < 0 ? "" : "byte " + changed + " behind the " + length + " has changed";
  }

  /** What is wrong with a slot that has so many bytes of a message and no other, or nothing. */
  String problem(int slot, long message, int length) {
    String problem = Pattern.problem(memory(slot).asSlice(0, length), message);
    return problem.isEmpty() ? overrun(slot, length) : problem;
  }
}
