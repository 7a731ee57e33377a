package dev.verbena.dropin;

import java.lang.invoke.MethodHandle;

/**
 * A call as the shim makes it: with six arguments, of which its method may have fewer, and without
 * exceptions.
 *
 * <p>A class, although method handles can be adapted so without one: the JVM would spin several
 * classes for each number of arguments, each time that it starts.
 */
final class Entry {
  private final MethodHandle method;
  private final int arguments;
  private final boolean isInBatch;

  /**
   * @param method a static method of longs, at most six, that returns a long
   * @param isInBatch whether it has no result in C, but the handle of a queue pair before the rest
   */
  Entry(MethodHandle method, boolean isInBatch) {
    this.method = method;
    this.arguments = method.type().parameterCount();
    this.isInBatch = isInBatch;
  }

  /** Calls the method. */
  long call(long a, long b, long c, long d, long e, long f) {
    try {
      return switch (arguments) {
        case 0 -> (long) method.invokeExact();
        case 1 -> (long) method.invokeExact(a);
        case 2 -> (long) method.invokeExact(a, b);
        case 3 -> (long) method.invokeExact(a, b, c);
        case 4 -> (long) method.invokeExact(a, b, c, d);
        case 5 -> (long) method.invokeExact(a, b, c, d, e);
        default -> (long) method.invokeExact(a, b, c, d, e, f);
      };
    } catch (Throwable error) {
      return isInBatch ? Attach.failedInBatch(error, a) : Attach.failed(error);
    }
  }
}
