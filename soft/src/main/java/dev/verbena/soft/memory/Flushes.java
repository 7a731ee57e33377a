package dev.verbena.soft.memory;

import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/** Makes writes to a region visible or persistent (S5.4.5). */
public final class Flushes {
  /**
   * Makes all earlier writes of this thread, and those that it has seen, visible to every thread
   * and process that shares the memory.
   *
   * @return NONE, or MEMORY_GONE if the range no longer exists
   */
  public static AccessFault makeVisible(Region region, long addr, long length) {
    VarHandle.fullFence();
    return reaches(region.memory(), region.offset(addr), length)
        ? AccessFault.NONE
        : AccessFault.MEMORY_GONE;
  }

  /**
   * Makes a range of a region persistent. It must belong to a mapped file; the file's system has
   * written it when this returns.
   *
   * @return NONE, NOT_PERSISTENT, FILE_ERROR, or MEMORY_GONE if the application closed the memory
   *     or truncated the file, which its system does not report, since it finds nothing to write
   *     there
   */
  public static AccessFault makePersistent(Region region, long addr, long length) {
    MemorySegment memory = region.memory();
    if (!memory.isMapped()) {
      return AccessFault.NOT_PERSISTENT;
    }
    try {
      memory.asSlice(region.offset(addr), length).force();
      return reaches(memory, region.offset(addr), length)
          ? AccessFault.NONE
          : AccessFault.MEMORY_GONE;
    } catch (UncheckedIOException e) {
      return AccessFault.FILE_ERROR;
    } catch (IllegalStateException | InternalError e) {
      return AccessFault.MEMORY_GONE;
    }
  }

  /**
   * Whether the end of a range exists. A file is truncated at its end, so then the whole range
   * exists.
   */
  private static boolean reaches(MemorySegment segment, long from, long length) {
    try {
      if (length > 0) {
        LateErrors.touch(segment, from + length - 1);
      }
      LateErrors.raise();
      return true;
    } catch (IllegalStateException | InternalError e) {
      return false;
    }
  }

  private Flushes() {}
}
