package dev.verbena.soft.link;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * How links call the C library. The handle of a function takes an error buffer and then the
 * function's arguments. Concurrent calls need separate error buffers.
 *
 * <p>A call with an error buffer allocates, if its handle is no constant where it is compiled, and
 * sometimes even then; {@link #plainFunction} never does.
 */
@SuppressWarnings("restricted")
public final class LibcNative {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LIBC = LINKER.defaultLookup();
  private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
  private static final long ERRNO =
      Linker.Option.captureStateLayout().byteOffset(PathElement.groupElement("errno"));

  private static final long NANOS_A_SECOND = 1_000_000_000;

  private LibcNative() {}

  /** A buffer that takes the error number of one call at a time. */
  public static MemorySegment errorBuffer(Arena arena) {
    return arena.allocate(Linker.Option.captureStateLayout());
  }

  /** A function of the C library, of this type. */
  public static MethodHandle function(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(LIBC.findOrThrow(name), type, CAPTURE);
  }

  /** A function of this type whose error number is not needed, and which has no error buffer. */
  public static MethodHandle plainFunction(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(LIBC.findOrThrow(name), type);
  }

  /** Sets a timespec. */
  public static void time(MemorySegment timespec, long nanos) {
    timespec.set(ValueLayout.JAVA_LONG, 0, nanos / NANOS_A_SECOND);
    timespec.set(ValueLayout.JAVA_LONG, Long.BYTES, nanos % NANOS_A_SECOND);
  }

  /** What a function returned, or minus errno if it failed. */
  public static int result(MemorySegment error, int returned) {
    return returned >= 0 ? returned : failure(error);
  }

  /** What a function returned, or minus errno if it failed. */
  public static long result(MemorySegment error, long returned) {
    return returned >= 0 ? returned : failure(error);
  }

  /** Minus errno. */
  public static int failure(MemorySegment error) {
    return -error.get(ValueLayout.JAVA_INT, ERRNO);
  }

  /** A downcall itself throws only because of a bug here, or for memory that is gone. */
  public static RuntimeException broken(String function, Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(function + ": the call could not be made", cause);
  }
}
