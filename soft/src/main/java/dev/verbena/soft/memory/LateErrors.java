package dev.verbena.soft.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Brings out what an access to memory that is not there has left to be thrown.
 *
 * <p>Behind the end of a mapped file that was cut short there is no memory. The JVM survives the
 * bus error of a guarded access: it goes on behind the instruction, with garbage for what was read,
 * and throws an InternalError later, where the thread next polls for a safepoint and may take an
 * exception. For compiled code that may be anywhere: after the try block, with another guard held,
 * or in the application. So every access to registered memory is followed by {@link #raise}, within
 * its try.
 *
 * <p>Guarded are plain, volatile and bulk reads and writes. Not guarded, and the end of the process
 * where they run in the interpreter, are compareAndSet and its like, and opaque and release stores
 * of bytes, which Linux x86-64 makes an instruction that the signal handler does not know.
 */
public final class LateErrors {
  /** Read at each turn, so that no compiler knows how often the loop of {@link #raise} runs. */
  @SuppressWarnings("UnusedVariable") // through TURNS
  private static int turns = 1;

  private static final VarHandle TURNS;

  static {
    try {
      TURNS = MethodHandles.lookup().findStaticVarHandle(LateErrors.class, "turns", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Polls for a safepoint, which takes about a nanosecond: a loop that is not counted does at the
   * end of each turn, interpreted or compiled.
   *
   * @throws InternalError if an access of this thread has met memory that is not there
   */
  public static void raise() {
    int turn = 0;
    while (turn < (int) TURNS.getOpaque()) {
      turn++;
    }
  }

  private LateErrors() {}
}
