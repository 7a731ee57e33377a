package dev.verbena.soft.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Asks the operating system about memory at an address where an access would end the process. Does
 * so only if native access is already allowed, so that a device without native calls does not cause
 * the JVM's warning.
 */
@SuppressWarnings("restricted")
public final class MappingNative {
  private static final long MS_ASYNC = 1;
  private static final long MADV_POPULATE_WRITE = 23;
  private static final int FAILED = -1;

  private MappingNative() {}

  /**
   * Whether a range is mapped, since a segment made from a bare address may be anywhere. Uses
   * msync(MS_ASYNC), which on Linux only looks for gaps between the mappings: it touches no page
   * and takes no longer for a large range than for a small one.
   *
   * @return false if nothing is mapped in some part of the memory; true if there is no way to know
   */
  public static boolean isMapped(MemorySegment memory) {
    long from = Calls.page(memory.address());
    return call(Calls.MSYNC, from, memory.address() + memory.byteSize() - from, MS_ASYNC);
  }

  /**
   * Makes the page of a byte writable as a write to it would, but without changing it: a gap of a
   * sparse file gets space in the file system. Uses madvise(MADV_POPULATE_WRITE), which returns an
   * error where a write would be a bus error; Linux has it since 5.14.
   *
   * @return false if the page cannot be written; true if there is no way to know
   */
  static boolean makeWritable(MemorySegment memory, long offset) {
    long page = Calls.page(memory.address() + offset);
    return call(Calls.MADVISE, page, Calls.PAGE, MADV_POPULATE_WRITE);
  }

  private static boolean call(
      @Nullable MethodHandle function, long from, long length, long argument) {
    if (function == null) {
      return true;
    }
    try {
      // An int in C, so only the lower half of the result counts.
      return (int) (long) function.invokeExact(from, length, argument) != FAILED;
    } catch (Throwable e) {
      throw new AssertionError("a system call throws nothing", e);
    }
  }

  /** Looked up on first use. */
  private static final class Calls {
    static final @Nullable MethodHandle MSYNC = isAllowed() ? function("msync") : null;

    /** Bytes; a power of two. */
    static final long PAGE = MSYNC == null ? 1 : pageSize();

    static final @Nullable MethodHandle MADVISE = canPopulate() ? function("madvise") : null;

    /** The start of the page of an address. */
    static long page(long address) {
      return address & -PAGE;
    }

    private static boolean isAllowed() {
      return System.getProperty("os.name").equals("Linux")
          && ValueLayout.ADDRESS.byteSize() == Long.BYTES
          && MappingNative.class.getModule().isNativeAccessEnabled();
    }

    /** Tries the call with memory that certainly exists, because older systems do not know it. */
    private static boolean canPopulate() {
      if (MSYNC == null) {
        return false;
      }
      try (Arena arena = Arena.ofConfined()) {
        long page = arena.allocate(PAGE, PAGE).address();
        return call(function("madvise"), page, PAGE, MADV_POPULATE_WRITE);
      }
    }

    private static MethodHandle function(String name) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow(name),
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG));
    }

    private static long pageSize() {
      try {
        return (int) (long) function("getpagesize").invokeExact(0L, 0L, 0L);
      } catch (Throwable e) {
        throw new AssertionError("getpagesize throws nothing", e);
      }
    }
  }
}
