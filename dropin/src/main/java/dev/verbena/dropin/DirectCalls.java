package dev.verbena.dropin;

/**
 * The calls that programs make in loops, in the form that the shim uses: with six arguments and
 * without exceptions. An {@link Entry} does the same for all other calls, at a cost of some
 * nanoseconds.
 */
final class DirectCalls {
  static long pollCq(long handle, long entries, long out, long d, long e, long f) {
    try {
      return CqCalls.pollCq(handle, entries, out);
    } catch (Throwable error) {
      return Attach.failed(error);
    }
  }

  static long postSend(long handle, long first, long bad, long d, long e, long f) {
    try {
      return PostCalls.postSend(handle, first, bad);
    } catch (Throwable error) {
      return Attach.failed(error);
    }
  }

  static long postRecv(long handle, long first, long bad, long d, long e, long f) {
    try {
      return PostCalls.postRecv(handle, first, bad);
    } catch (Throwable error) {
      return Attach.failed(error);
    }
  }

  static long postSrqRecv(long handle, long first, long bad, long d, long e, long f) {
    try {
      return PostCalls.postSrqRecv(handle, first, bad);
    } catch (Throwable error) {
      return Attach.failed(error);
    }
  }

  private DirectCalls() {}
}
