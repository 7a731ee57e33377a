package dev.verbena.soft.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Raises the error that an access to missing memory may have left pending.
 *
 * <p>Beyond the end of a truncated mapped file there is no memory. The JVM survives the bus error
 * of a guarded access: it continues after the instruction, with garbage as the value read, and
 * throws an InternalError later, at the thread's next safepoint poll that may take an exception. In
 * compiled code that may be anywhere: after the try block, with another guard held, or in the
 * application. So {@link #raise} follows every access to registered memory, within its try.
 *
 * <p>The JVM guards plain, volatile and bulk reads and writes. It does not guard compareAndSet and
 * the like, which end the process in the interpreter, nor opaque and release stores of bytes, which
 * become an instruction on Linux x86-64 that the signal handler does not know.
 */
public final class LateErrors {
  /**
   * Read in each iteration, so that no compiler knows how often the loop of {@link #raise} runs.
   */
  @SuppressWarnings("UnusedVariable") // through TURNS
  private static int turns = 1;

  private static final VarHandle TURNS;

  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

  /** Depends on all that was touched; of a read without use, even volatile, no code is made. */
  private static final byte[] TOUCHED = new byte[1];

  static {
    try {
      TURNS = MethodHandles.lookup().findStaticVarHandle(LateErrors.class, "turns", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Polls for a safepoint, which takes about a nanosecond: an uncounted loop does so at the end of
   * each iteration, interpreted or compiled.
   *
   * @throws InternalError if an access of this thread has met missing memory
   */
  public static void raise() {
    int turn = 0;
    while (turn < (int) TURNS.getOpaque()) {
      turn++;
    }
  }

  /** Reads a byte of registered memory, only to find out whether it is there. */
  static void touch(MemorySegment segment, long at) {
    TOUCHED[0] ^= (byte) BYTE.getVolatile(segment, at);
  }

  private LateErrors() {}
}
