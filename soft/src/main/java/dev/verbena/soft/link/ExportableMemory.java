package dev.verbena.soft.link;

import java.lang.foreign.MemorySegment;

/** Memory that other processes can map. */
public interface ExportableMemory {
  /** The memory, zeroed at first. */
  MemorySegment memory();

  /**
   * Exports it as a region. Call it once.
   *
   * @param rkey key for peers
   * @param base address of the first byte in requests
   * @param access {@link dev.verbena.verbs.Access} bits
   * @param domain number of its protection domain
   * @return {@link Export#NONE} if there is no room
   */
  Export export(int rkey, long base, int access, long domain);

  /** Gives up that it can be exported; for memory that was not. */
  void keepPrivate();
}
