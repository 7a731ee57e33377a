package dev.verbena.soft.memory;

import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/** Makes what was written to a region visible or persistent (S5.4.5). */
public final class Flushes {

  /**
   * Makes all earlier writes of this thread, and those that it has seen, visible to every thread
   * and process that shares the memory.
   */
  public static void makeVisible() {
    VarHandle.fullFence();
  }

  /**
   * Makes a range of a region persistent: it must be of a mapped file, whose system has written it
   * when this returns.
   *
   * @return NONE, NOT_PERSISTENT, FILE_ERROR, or MEMORY_GONE if the application closed the memory
   */
  public static AccessFault makePersistent(Region region, long addr, long length) {
    MemorySegment memory = region.memory();
    if (!memory.isMapped()) {
      return AccessFault.NOT_PERSISTENT;
    }
    try {
      memory.asSlice(region.offset(addr), length).force();
      return AccessFault.NONE;
    } catch (UncheckedIOException e) {
      return AccessFault.FILE_ERROR;
    } catch (IllegalStateException | InternalError e) {
      return AccessFault.MEMORY_GONE;
    }
  }

  private Flushes() {}
}
