package dev.verbena.rdmacore.call;

import dev.verbena.rdmacore.host.Host;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The functions that inline functions of verbs.h call through pointers: these calls allocate
 * nothing. They may make system calls, so none is critical to the JVM.
 */
@SuppressWarnings("restricted")
public final class DataPathNative {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle POST =
      LINKER.downcallHandle(FunctionDescriptor.of(INT, LONG, LONG, LONG));
  private static final MethodHandle BUILD =
      LINKER.downcallHandle(FunctionDescriptor.ofVoid(LONG, LONG, LONG, LONG, LONG, LONG));
  private static final MethodHandle COMPLETE =
      LINKER.downcallHandle(FunctionDescriptor.of(INT, LONG));
  private static final MethodHandle START =
      LINKER.downcallHandle(FunctionDescriptor.of(INT, LONG, LONG));
  private static final MethodHandle READ = LINKER.downcallHandle(FunctionDescriptor.of(LONG, LONG));
  private static final MethodHandle POLL =
      LINKER.downcallHandle(FunctionDescriptor.of(INT, LONG, INT, LONG));
  private static final MethodHandle NOTIFY =
      LINKER.downcallHandle(FunctionDescriptor.of(INT, LONG, INT));

  /** Made before any call, so that its making does not come between a call and its errno. */
  private static final MethodHandle ERRNO_LOCATION =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("__errno_location"),
          FunctionDescriptor.of(LONG),
          Linker.Option.critical(false));

  static {
    // So that it is linked before a refusal, between which and its errno nothing should come.
    errno();
  }

  /**
   * What a function that this thread has just called has returned, as {@link Answer#status}. To
   * have errno captured would take some 10 ns of each call. So it is read here, before the thread
   * does anything else, if a driver returns -1 where it should return the error number.
   */
  static int status(int result) {
    return result >= 0 ? result : Answer.status(result, errno());
  }

  private static int errno() {
    try {
      return Host.getInt((long) ERRNO_LOCATION.invokeExact());
    } catch (Throwable e) {
      throw FunctionNative.broken("__errno_location", e);
    }
  }

  /** Moves the cursor of a queue to its first completion; 0 or an error number. */
  public static int startPoll(MemorySegment function, long cq, long attr) {
    try {
      return (int) START.invokeExact(function, cq, attr);
    } catch (Throwable e) {
      throw FunctionNative.broken("start_poll", e);
    }
  }

  /**
   * Calls a function of struct ibv_cq_ex for the completion under its cursor. Of a shorter result
   * only its own bits count.
   */
  public static long read(MemorySegment function, long cq) {
    try {
      return (long) READ.invokeExact(function, cq);
    } catch (Throwable e) {
      throw FunctionNative.broken("read_", e);
    }
  }

  /** Calls a function of struct ibv_qp_ex that returns nothing; it ignores surplus arguments. */
  public static void build(
      MemorySegment function,
      long qp,
      long second,
      long third,
      long fourth,
      long fifth,
      long sixth) {
    try {
      BUILD.invokeExact(function, qp, second, third, fourth, fifth, sixth);
    } catch (Throwable e) {
      throw FunctionNative.broken("wr_", e);
    }
  }

  /** Completes a batch; 0 or an error number. */
  public static int complete(MemorySegment function, long qp) {
    try {
      return status((int) COMPLETE.invokeExact(function, qp));
    } catch (Throwable e) {
      throw FunctionNative.broken("wr_complete", e);
    }
  }

  /** Posts a list of requests; 0 or an error number, and the address of the refused request. */
  public static int post(MemorySegment function, long queue, long first, long bad) {
    try {
      return status((int) POST.invokeExact(function, queue, first, bad));
    } catch (Throwable e) {
      throw FunctionNative.broken("post", e);
    }
  }

  /** Takes completions; their number, or a negative number. */
  public static int poll(MemorySegment function, long cq, int entries, long out) {
    try {
      return (int) POLL.invokeExact(function, cq, entries, out);
    } catch (Throwable e) {
      throw FunctionNative.broken("poll_cq", e);
    }
  }

  /** Requests an event; 0 or an error number. */
  public static int requestNotification(MemorySegment function, long cq, int solicitedOnly) {
    try {
      return status((int) NOTIFY.invokeExact(function, cq, solicitedOnly));
    } catch (Throwable e) {
      throw FunctionNative.broken("req_notify_cq", e);
    }
  }

  private DataPathNative() {}
}
