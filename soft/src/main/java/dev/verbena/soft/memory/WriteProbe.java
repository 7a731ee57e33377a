package dev.verbena.soft.memory;

import java.lang.foreign.MemorySegment;

/**
 * Checks whether an atomic may write to its target, because otherwise it would end the process.
 *
 * <p>The JVM guards reads, writes and compiled atomics against missing memory, but not the atomics
 * of its interpreter (see {@link LateErrors}). Those end the process beyond the end of a mapped
 * file, in a gap for which the file system has no space left, or in a page that is not writable. So
 * this class first asks the operating system to make the page writable. That takes about a
 * microsecond, so it does so
 *
 * <ul>
 *   <li>always for a segment that is known to be mapped, and if nothing is ever compiled;
 *   <li>for other native memory, which may be of any kind (a bare address, a C program's, mapped by
 *       a call), {@value #LOOKS} times for each atomic, by which time it is compiled. Since the JVM
 *       may discard compiled code that fails, the count then starts over.
 * </ul>
 *
 * <p>The remaining cases end the process, but only while the atomic is interpreted: memory that
 * disappears in the nanoseconds between the check and the atomic; if the system has no such call,
 * memory that can be read but not written; and in other native memory, code that the JVM has not
 * compiled after this number of calls, or has discarded for another reason.
 */
final class WriteProbe {
  private static final int LOOKS = 1 << 15;

  private static final boolean IS_NEVER_COMPILED =
      System.getProperty("java.vm.info", "").contains("interpreted mode");

  /** Checks still to be made. Threads that count concurrently make one more, which does no harm. */
  private int left = LOOKS;

  /**
   * Called between a read of the target, by which the drop-in fills memory that the program has
   * unmapped, and the atomic.
   *
   * @throws InternalError if the target cannot be written
   */
  void requireWritable(MemorySegment memory, long offset) {
    if (mustLook(memory) && !MappingNative.makeWritable(memory, offset)) {
      throw new InternalError("the page of the atomic's target cannot be written");
    }
  }

  private boolean mustLook(MemorySegment memory) {
    if (memory.isMapped()) {
      return true;
    }
    int looks = left;
    if (looks <= 0 || !memory.isNative()) {
      return false;
    }
    if (!IS_NEVER_COMPILED) {
      left = looks - 1;
    }
    return true;
  }

  /** Starts over after an error, which may have made the JVM discard the atomic's compiled code. */
  void startAnew() {
    left = LOOKS;
  }
}
