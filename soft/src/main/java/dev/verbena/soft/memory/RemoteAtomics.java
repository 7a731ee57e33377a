package dev.verbena.soft.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The 64-bit operations on a region's memory, in host byte order (S5.4.1). Processor atomics, so
 * atomic among all queue pairs of all devices of the process, and with the application's own
 * (S5.4.2).
 */
public final class RemoteAtomics {
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
   */
  public static long compareAndSwap(Region region, long addr, long compare, long swap) {
    MemorySegment memory = region.memory();
    return (long) LONG.compareAndExchange(memory, region.offset(addr), compare, swap);
  }

  /**
   * Adds modulo 2⁶⁴.
   *
   * @return the value found
   * @throws IllegalStateException if the application closed the memory
   */
  public static long fetchAndAdd(Region region, long addr, long add) {
    return (long) LONG.getAndAdd(region.memory(), region.offset(addr), add);
  }

  /**
   * Stores all 8 bytes at once (S5.4.4).
   *
   * @param value bytes in the order in which this host stores a long
   * @throws IllegalStateException if the application closed the memory
   */
  public static void write(Region region, long addr, long value) {
    LONG.setVolatile(region.memory(), region.offset(addr), value);
  }

  private RemoteAtomics() {}
}
