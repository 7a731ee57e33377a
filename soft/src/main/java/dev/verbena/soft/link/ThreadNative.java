package dev.verbena.soft.link;

import static dev.verbena.soft.link.LibcNative.broken;
import static dev.verbena.soft.link.LibcNative.function;
import static dev.verbena.soft.link.LibcNative.result;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;

/** The C library's calls about the calling thread. Each returns the result, or minus errno. */
final class ThreadNative {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final MemorySegment NULL = MemorySegment.NULL;

  /** A type that sockets need anyhow, because the JVM takes milliseconds to prepare a type. */
  private static final FunctionDescriptor CONTROL =
      FunctionDescriptor.of(LONG, LONG, LONG, LONG, POINTER, POINTER);

  private static final MethodHandle PRCTL = function("prctl", CONTROL);
  private static final MethodHandle GETPRIORITY = function("getpriority", CONTROL);
  private static final MethodHandle SYSCALL = function("syscall", CONTROL);

  private ThreadNative() {}

  static int prctl(MemorySegment error, int option, long value) {
    try {
      return result(
          error, (int) (long) PRCTL.invokeExact(error, (long) option, value, 0L, NULL, NULL));
    } catch (Throwable e) {
      throw broken("prctl", e);
    }
  }

  /** The nice value of a process or a thread; a negative one is not an error. */
  static int getpriority(MemorySegment error, int which, int who) {
    try {
      return (int) (long) GETPRIORITY.invokeExact(error, (long) which, (long) who, 0L, NULL, NULL);
    } catch (Throwable e) {
      throw broken("getpriority", e);
    }
  }

  /** A system call without a function in the C library, with a number and an address. */
  static long syscall(MemorySegment error, int call, int number, MemorySegment argument) {
    try {
      return result(
          error,
          (long)
              SYSCALL.invokeExact(
                  error, (long) call, (long) number, argument.address(), NULL, NULL));
    } catch (Throwable e) {
      throw broken("syscall", e);
    } finally {
      // The call only knows its address.
      Reference.reachabilityFence(argument);
    }
  }
}
