package dev.verbena.soft.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The 64-bit operations on a region's memory, in host byte order (S5.4.1). Processor atomics, so
 * atomic among all queue pairs of all devices of the process, and with the application's own
 * (S5.4.2).
 *
 * <p>The Java virtual machine guards reads and writes against memory that is not there, but not the
 * atomics of its interpreter (see {@link LateErrors}): there a compareAndSet behind the end of a
 * mapped file, or in a gap of it for which the file system has no space left, would end the
 * process. So in a mapped file the operating system is asked first to make the page writable, and
 * then, as it may not know how, the same address is read. What remains is a file that is cut short
 * in the nanoseconds between that and the atomic, and where the system cannot be asked, the gap;
 * both end the process only while the method here is still interpreted.
 */
public final class RemoteAtomics {
  /** What an atomic reads and changes. */
  public static final int BYTES = Long.BYTES;

  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  /** Whether an address of the region can be the target: a multiple of 8, also in memory. */
  public static boolean isAligned(Region region, long addr) {
    return (addr & 7) == 0 && ((region.memory().address() + region.offset(addr)) & 7) == 0;
  }

  /**
   * Stores {@code swap} if the value equals {@code compare}.
   *
   * @return the value found
   * @throws IllegalStateException if the application closed the memory
   * @throws InternalError if its mapped file was cut short, or has a gap that cannot be filled
   */
  public static long compareAndSwap(Region region, long addr, long compare, long swap) {
    MemorySegment memory = region.memory();
    long offset = region.offset(addr);
    requireWritable(memory, offset);
    while (true) {
      long found = read(memory, offset);
      if (found != compare) {
        return found;
      }
      boolean swapped = LONG.compareAndSet(memory, offset, compare, swap);
      LateErrors.raise();
      if (swapped) {
        return found;
      }
    }
  }

  /**
   * Adds modulo 2⁶⁴.
   *
   * @return the value found
   * @throws IllegalStateException if the application closed the memory
   * @throws InternalError if its mapped file was cut short, or has a gap that cannot be filled
   */
  public static long fetchAndAdd(Region region, long addr, long add) {
    MemorySegment memory = region.memory();
    long offset = region.offset(addr);
    requireWritable(memory, offset);
    read(memory, offset);
    long found = (long) LONG.getAndAdd(memory, offset, add);
    LateErrors.raise();
    return found;
  }

  /** Only of a mapped file something may be missing: other memory pays nothing. */
  private static void requireWritable(MemorySegment memory, long offset) {
    if (memory.isMapped() && !MappingNative.makeWritable(memory, offset)) {
      throw new InternalError("the page of the atomic's target cannot be written");
    }
  }

  /** Reads, and is sure to have read. */
  private static long read(MemorySegment memory, long offset) {
    long value = (long) LONG.getVolatile(memory, offset);
    LateErrors.raise();
    return value;
  }

  /**
   * Stores all 8 bytes at once (S5.4.4).
   *
   * @param value bytes in the order in which this host stores a long
   * @throws IllegalStateException if the application closed the memory
   * @throws InternalError if its mapped file was cut short, or has a gap that cannot be filled
   */
  public static void write(Region region, long addr, long value) {
    LONG.setVolatile(region.memory(), region.offset(addr), value);
    LateErrors.raise();
  }

  private RemoteAtomics() {}
}
