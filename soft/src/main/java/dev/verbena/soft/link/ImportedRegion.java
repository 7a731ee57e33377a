package dev.verbena.soft.link;

import java.lang.foreign.MemorySegment;

/**
 * A region of another process.
 *
 * @param memory its memory
 * @param base address of the first byte in requests
 * @param access {@link dev.verbena.verbs.Access} bits
 * @param domain number of its protection domain
 */
public record ImportedRegion(MemorySegment memory, long base, int access, long domain) {
  /**
   * The place of a range in the memory, with the checks of S5.2 without 64-bit wrap.
   *
   * @return -1 if it may not be used in this way
   */
  public long offset(int right, long va, long length) {
    long offset = va - base;
    boolean isAllowed =
        (access & right) == right && offset >= 0 && offset <= memory.byteSize() - length;
    return isAllowed ? offset : -1;
  }
}
