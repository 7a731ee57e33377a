package dev.verbena.dropin;

import dev.verbena.rdmacore.host.Host;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A library of C functions, called as a C program does. All of them are called with six longs: a
 * function does not see surplus arguments, nor the upper half of an int argument.
 */
@SuppressWarnings("restricted")
final class CLibraryNative {
  private static final int ARGUMENTS = 6;
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle CALL =
      Linker.nativeLinker()
          .downcallHandle(
              FunctionDescriptor.of(
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG),
              Linker.Option.captureCallState("errno"));

  private static final ThreadLocal<MemorySegment> CAPTURED =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

  private final SymbolLookup symbols;

  private CLibraryNative(SymbolLookup symbols) {
    this.symbols = symbols;
  }

  /** Loads a file, for the rest of the process's life. */
  static CLibraryNative load(Path file) {
    return new CLibraryNative(SymbolLookup.libraryLookup(file, Arena.global()));
  }

  /** The C library. */
  static CLibraryNative libc() {
    return new CLibraryNative(Linker.nativeLinker().defaultLookup());
  }

  /** An exported function. */
  MemorySegment function(String name) {
    return symbols.findOrThrow(name);
  }

  /** Calls an exported function. */
  long call(String name, long... arguments) {
    return call(function(name), arguments);
  }

  /** A string that a function returns. */
  String text(String name, long... arguments) {
    return Host.getString(call(name, arguments));
  }

  /** Calls a function. */
  static long call(MemorySegment function, long... arguments) {
    long[] six = Arrays.copyOf(arguments, ARGUMENTS);
    return invoke(function, six[0], six[1], six[2], six[3], six[4], six[5]);
  }

  /** Calls a function without allocating. */
  static long invoke(MemorySegment function, long a, long b, long c, long d, long e, long f) {
    try {
      return (long) CALL.invokeExact(function, CAPTURED.get(), a, b, c, d, e, f);
    } catch (Throwable error) {
      throw new AssertionError(error);
    }
  }

  /** The same memory, to be used until this arena is closed. */
  static MemorySegment until(Arena arena, MemorySegment memory) {
    return MemorySegment.ofAddress(memory.address()).reinterpret(memory.byteSize(), arena, null);
  }

  /** The errno of this thread's last call. */
  static int errno() {
    return (int) ERRNO.get(CAPTURED.get(), 0L);
  }
}
