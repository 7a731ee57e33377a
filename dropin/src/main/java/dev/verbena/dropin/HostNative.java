package dev.verbena.dropin;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;

/** The process around this JVM: its whole memory, and functions that it calls. */
@SuppressWarnings("restricted")
final class HostNative {
  /** The address space: the bytes of an address are at that offset. */
  static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /** Arguments of a call; all are longs. */
  private static final int ARGUMENTS = 6;

  /** The type of all calls. */
  static final FunctionDescriptor CALL =
      FunctionDescriptor.of(
          ValueLayout.JAVA_LONG,
          Collections.nCopies(ARGUMENTS, ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new));

  /** A C function, for the rest of the process's life, that calls this method. */
  static long function(MethodHandle method) {
    return Linker.nativeLinker().upcallStub(method, CALL, Arena.global()).address();
  }

  /**
   * Memory of the program, which may be gone at any time.
   *
   * @throws VerbsException EINVAL if no program has memory there
   */
  static MemorySegment segment(long address, long length) {
    if (!Host.canHold(address, length)) {
      throw new VerbsException(
          "memory", Errno.EINVAL, "%x bytes at address %x".formatted(length, address));
    }
    return MemorySegment.ofAddress(address).reinterpret(length);
  }

  private HostNative() {}
}
