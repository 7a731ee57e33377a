package dev.verbena.dropin;

import dev.verbena.verbs.EventSource;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * An eventfd of the shim, whose count is above zero while events are waiting. A reader takes the
 * count and then one event.
 */
@SuppressWarnings("restricted")
final class EventFdNative implements EventSource.Readiness {
  /** Keeps a read from blocking if another reader has just taken the count. */
  private static final long RWF_NOWAIT = 8;

  /** For preadv2: no file position. */
  private static final long NO_OFFSET = -1;

  /**
   * One type for both functions, because the JVM prepares each type: write ignores the arguments it
   * does not have.
   */
  private static final FunctionDescriptor TYPE =
      FunctionDescriptor.of(
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.ADDRESS,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG);

  private static final MethodHandle WRITE = function("write");
  private static final MethodHandle PREADV2 = function("preadv2");

  private static final MemorySegment ONE = Arena.global().allocateFrom(ValueLayout.JAVA_LONG, 1);

  /** A buffer for counts that any thread reads and discards; and the iovec for it. */
  private static final MemorySegment COUNT = Arena.global().allocate(ValueLayout.JAVA_LONG);

  private static final MemorySegment IOVEC =
      Arena.global().allocateFrom(ValueLayout.JAVA_LONG, COUNT.address(), Long.BYTES);

  private final int fd;

  EventFdNative(int fd) {
    this.fd = fd;
  }

  @Override
  public void ready() {
    try {
      long written = (long) WRITE.invokeExact((long) fd, ONE, (long) Long.BYTES, 0L, 0L);
      if (written != Long.BYTES) {
        Console.say("an event descriptor could not be written: " + fd);
      }
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void drained() {
    try {
      // Usually there is nothing to read: the reader that took the last event also took the count.
      long _ = (long) PREADV2.invokeExact((long) fd, IOVEC, 1L, NO_OFFSET, RWF_NOWAIT);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static MethodHandle function(String name) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), TYPE);
  }
}
