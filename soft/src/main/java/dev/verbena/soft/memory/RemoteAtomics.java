package dev.verbena.soft.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The 64-bit operations on a region's memory, in host byte order (S5.4.1). They are processor
 * atomics, so they are atomic among all queue pairs of all devices of all processes that have the
 * memory, and with the application's own (S5.4.2).
 *
 * <p>Each reads its target, checks whether it may write there ({@link WriteProbe}), and then
 * writes.
 */
public final class RemoteAtomics {
  /** Bytes that an atomic reads and changes. */
  public static final int BYTES = Long.BYTES;

  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  // Each is compiled separately.
  private static final WriteProbe SWAPS = new WriteProbe();
  private static final WriteProbe ADDS = new WriteProbe();

  /** So many calls make the JVM compile an atomic soon, also if its compilers are busy. */
  private static final int WARM_UPS = 2_000;

  private static final AtomicBoolean WARM = new AtomicBoolean();

  /**
   * Called before memory can be a target. The first time it has the JVM compile the atomics, which
   * it guards only then; otherwise the first few hundred would be interpreted. Takes about 30 ms,
   * most of which the first atomic would take.
   */
  static void warmUp() {
    if (WARM.compareAndSet(false, true)) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment memory = arena.allocate(BYTES, BYTES);
        for (long i = 0; i < WARM_UPS; i++) {
          boolean _ = LONG.compareAndSet(memory, 0L, 0L, 0L);
          long _ = (long) LONG.getAndAdd(memory, 0L, 0L);
        }
      }
    }
  }

  /** Whether an address of the region can be the target: a multiple of 8, also in memory. */
  public static boolean isAligned(Region region, long addr) {
    return isAligned(region.memory(), region.offset(addr), addr);
  }

  /** Whether an address, that of this place in memory, can be the target. */
  public static boolean isAligned(MemorySegment memory, long offset, long addr) {
    return (addr & 7) == 0 && ((memory.address() + offset) & 7) == 0;
  }

  /**
   * Adds modulo 2⁶⁴, or stores a value if it finds {@code compare}.
   *
   * @param compares whether it compares and stores, and does not add
   * @param swapOrAdd the value to store or to add
   * @return the value found
   * @throws IllegalStateException if the application closed the memory
   * @throws InternalError if it cannot be written: its mapped file was truncated, or has a gap that
   *     cannot be filled, or its page is not writable
   */
  public static long execute(
      boolean compares, MemorySegment memory, long offset, long compare, long swapOrAdd) {
    return compares
        ? compareAndSwap(memory, offset, compare, swapOrAdd)
        : fetchAndAdd(memory, offset, swapOrAdd);
  }

  static long compareAndSwap(MemorySegment memory, long offset, long compare, long swap) {
    try {
      while (true) {
        long found = read(memory, offset);
        if (found != compare) {
          return found;
        }
        SWAPS.requireWritable(memory, offset);
        boolean swapped = LONG.compareAndSet(memory, offset, compare, swap);
        LateErrors.raise();
        if (swapped) {
          return found;
        }
      }
    } catch (IllegalStateException | InternalError e) {
      startAnew();
      throw e;
    }
  }

  static long fetchAndAdd(MemorySegment memory, long offset, long add) {
    try {
      read(memory, offset);
      ADDS.requireWritable(memory, offset);
      long found = (long) LONG.getAndAdd(memory, offset, add);
      LateErrors.raise();
      return found;
    } catch (IllegalStateException | InternalError e) {
      startAnew();
      throw e;
    }
  }

  /** Restarts both, because they may have been compiled together into one caller. */
  private static void startAnew() {
    SWAPS.startAnew();
    ADDS.startAnew();
  }

  /**
   * Reads a target, and makes sure that the read has succeeded.
   *
   * @throws IllegalStateException as {@link #execute}
   * @throws InternalError as {@link #execute}
   */
  public static long read(MemorySegment memory, long offset) {
    long value = (long) LONG.getVolatile(memory, offset);
    LateErrors.raise();
    return value;
  }

  /**
   * Stores all 8 bytes at once (S5.4.4).
   *
   * @param value bytes in the order in which this host stores a long
   * @throws IllegalStateException if the application closed the memory
   * @throws InternalError if its mapped file was truncated, or has a gap that cannot be filled
   */
  public static void write(Region region, long addr, long value) {
    LONG.setVolatile(region.memory(), region.offset(addr), value);
    LateErrors.raise();
  }

  private RemoteAtomics() {}
}
