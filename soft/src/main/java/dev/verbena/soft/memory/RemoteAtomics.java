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
 * mapped file would end the process. So each begins with a read of the same address. What remains
 * is a file that is cut short in the nanoseconds between that read and the atomic, and a file with
 * a gap for which the file system has no space left; both end the process only while the method
 * here is still interpreted.
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
   * @throws InternalError if its mapped file was cut short
   */
  public static long compareAndSwap(Region region, long addr, long compare, long swap) {
    MemorySegment memory = region.memory();
    long offset = region.offset(addr);
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
   * @throws InternalError if its mapped file was cut short
   */
  public static long fetchAndAdd(Region region, long addr, long add) {
    MemorySegment memory = region.memory();
    long offset = region.offset(addr);
    read(memory, offset);
    long found = (long) LONG.getAndAdd(memory, offset, add);
    LateErrors.raise();
    return found;
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
   * @throws InternalError if its mapped file was cut short
   */
  public static void write(Region region, long addr, long value) {
    LONG.setVolatile(region.memory(), region.offset(addr), value);
    LateErrors.raise();
  }

  private RemoteAtomics() {}
}
