package dev.verbena.dropin;

import dev.verbena.rdmacore.host.Host;
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

/** The process around this JVM: memory of the program, and the functions that it calls. */
@SuppressWarnings("restricted")
final class HostNative {
  /** Number of arguments of a call; all are longs. */
  private static final int ARGUMENTS = 6;

  /** The type of all calls. */
  static final FunctionDescriptor CALL =
      FunctionDescriptor.of(
          ValueLayout.JAVA_LONG,
          Collections.nCopies(ARGUMENTS, ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new));

  /** A C function that calls this method, valid for the rest of the process's life. */
  static long function(MethodHandle method) {
    return Linker.nativeLinker().upcallStub(method, CALL, Arena.global()).address();
  }

  /**
   * Memory of the program, which may disappear at any time.
   *
   * @throws VerbsException EINVAL if no program can have memory there
   */
  static MemorySegment segment(long address, long length) {
    require("memory", "a segment", address, length);
    return MemorySegment.ofAddress(address).reinterpret(length);
  }

  /**
   * Checks a pointer of the program before it is followed.
   *
   * @param function the verb that has it
   * @param what it points at
   * @throws VerbsException EINVAL if no program can have memory there, or it is null and the length
   *     is not 0
   */
  static void require(String function, String what, long address, long length) {
    if (!Host.canHold(address, length)) {
      throw new VerbsException(
          function,
          Errno.EINVAL,
          "%s of %s bytes at address 0x%x".formatted(what, Long.toUnsignedString(length), address));
    }
  }

  private HostNative() {}
}
