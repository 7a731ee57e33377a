package dev.verbena.soft.memory;

import java.lang.foreign.MemorySegment;

/**
 * Looks whether an atomic may write to its target, where it would end the process otherwise.
 *
 * <p>The JVM guards reads and writes against memory that is not there, and the atomics that it has
 * compiled, but not those of its interpreter (see {@link LateErrors}): behind the end of a mapped
 * file, in a gap of it for which the file system has no space left, or in a page without the right
 * to write, those end the process. So the operating system is asked first to make the page
 * writable. That takes about a microsecond, so it is done
 *
 * <ul>
 *   <li>always for a segment that says it is mapped, and where nothing is ever compiled;
 *   <li>for other native memory, which may be anything (a bare address, a C program's, mapped by a
 *       call), {@value #LOOKS} times for each atomic: by then it is compiled. As the JVM may give
 *       up compiled code that fails, then it starts over.
 * </ul>
 *
 * <p>What remains ends the process while the atomic is interpreted, and only then: memory that is
 * taken away in the nanoseconds between the look and the atomic; where the system cannot be asked,
 * memory that can be read but not written; and in other native memory, code that the JVM has not
 * compiled after so many calls, or has given up for a reason of its own.
 */
final class WriteProbe {
  private static final int LOOKS = 1 << 15;

  private static final boolean IS_NEVER_COMPILED =
      System.getProperty("java.vm.info", "").contains("interpreted mode");

  /** Still to be made. Threads that count at the same time look once more, which does no harm. */
  private int left = LOOKS;

  /**
   * To be called between a read of the target, by which the drop-in fills memory that the program
   * has unmapped, and the atomic.
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

  /** After an error, which may have cost the atomic its compiled code. */
  void startAnew() {
    left = LOOKS;
  }
}
