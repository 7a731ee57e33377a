package dev.verbena.soft.device;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Whether anything is mapped at an address, as the operating system knows it. A segment that was
 * made of a bare address may lie anywhere, and touching memory that is not there ends the process.
 *
 * <p>Asked by msync(MS_ASYNC), which on Linux does nothing but look for gaps among the mappings: it
 * touches no page and takes no longer for a large range than for a small one. Only where native
 * access is allowed already, lest a device without native calls cause the JVM's warning.
 */
@SuppressWarnings("restricted")
final class MappingNative {
  private static final long MS_ASYNC = 1;
  private static final long FAILED = -1;

  private MappingNative() {}

  /** False if nothing is mapped in some part of the memory; true if there is no way to know. */
  static boolean isMapped(MemorySegment memory) {
    MethodHandle msync = Calls.MSYNC;
    if (msync == null) {
      return true;
    }
    long from = memory.address() & -Calls.PAGE;
    long length = memory.address() + memory.byteSize() - from;
    try {
      // An int in C: of the result only the lower half counts.
      return (int) (long) msync.invokeExact(from, length, MS_ASYNC) != FAILED;
    } catch (Throwable e) {
      throw new AssertionError("msync throws nothing", e);
    }
  }

  /** Looked up when first needed. */
  private static final class Calls {
    static final @Nullable MethodHandle MSYNC = isAllowed() ? function("msync") : null;

    /** Bytes; a power of two. */
    static final long PAGE = MSYNC == null ? 1 : pageSize();

    private static boolean isAllowed() {
      return System.getProperty("os.name").equals("Linux")
          && ValueLayout.ADDRESS.byteSize() == Long.BYTES
          && MappingNative.class.getModule().isNativeAccessEnabled();
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
