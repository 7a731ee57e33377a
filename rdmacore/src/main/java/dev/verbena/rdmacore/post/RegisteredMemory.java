package dev.verbena.rdmacore.post;

import java.lang.foreign.MemorySegment;

/**
 * Memory that is registered.
 *
 * @param lkey its key
 * @param memory the memory
 * @param addr address of its first byte in work requests
 */
public record RegisteredMemory(int lkey, MemorySegment memory, long addr) {
  /** Whether it was freed before its registration has ended. */
  boolean isFreed() {
    return !memory.scope().isAlive();
  }

  /** Whether this range of addresses is inside. */
  boolean covers(long from, long bytes) {
    long offset = from - addr;
    return offset >= 0 && bytes >= 0 && offset <= memory.byteSize() - bytes;
  }
}
