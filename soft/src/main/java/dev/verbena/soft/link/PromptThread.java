package dev.verbena.soft.link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Asks the kernel to run a thread as soon as it is woken, even if a program spins on its processor.
 * Linux first gives that program the rest of its slice, some milliseconds, unless the woken thread
 * wants a shorter slice (since Linux 6.12; older versions ignore the request). It needs no
 * privilege, and does not change the thread's share: short slices just come more often.
 */
public final class PromptThread {
  private static final int SCHED_SETATTR_AMD64 = 314;
  private static final int SCHED_SETATTR_AARCH64 = 274;
  private static final int PR_SET_TIMERSLACK = 29;
  private static final int PRIO_PROCESS = 0;

  /** struct sched_attr in its first version: policy 0 is SCHED_OTHER, for which it has a slice. */
  private static final int ATTR_BYTES = 48;

  private static final int NICE = 16;
  private static final int RUNTIME = 24;

  /** The shortest slice that Linux knows. */
  private static final long SLICE_NANOS = 100_000;

  private static final long SLACK_NANOS = 1_000;

  private PromptThread() {}

  /**
   * Does so for the calling thread, and makes its timers fire when they are due, not up to 50
   * microseconds later. If the system refuses, the thread still works, only later.
   */
  public static void become(MemorySegment error) {
    ThreadNative.prctl(error, PR_SET_TIMERSLACK, SLACK_NANOS);
    int call =
        System.getProperty("os.arch").equals("aarch64")
            ? SCHED_SETATTR_AARCH64
            : SCHED_SETATTR_AMD64;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = arena.allocate(ATTR_BYTES, Long.BYTES);
      attr.set(ValueLayout.JAVA_INT, 0, ATTR_BYTES);
      attr.set(ValueLayout.JAVA_INT, NICE, ThreadNative.getpriority(error, PRIO_PROCESS, 0));
      attr.set(ValueLayout.JAVA_LONG, RUNTIME, SLICE_NANOS);
      ThreadNative.syscall(error, call, 0, attr);
    }
  }
}
