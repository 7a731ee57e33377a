package dev.verbena.tools.perf;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Determines when a run begins and ends, and what counts. A run of a number of messages ends with
 * the last one. A timed run leaves out a margin at its beginning and end, when its peer may not
 * have begun yet or may have ended.
 */
final class RunClock {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final boolean timed;
  private final long nanos;
  private final long marginNanos;
  private long start;
  private boolean counting;
  private long allocated;

  private RunClock(boolean timed, Duration duration, Duration margin) {
    this.timed = timed;
    nanos = duration.toNanos();
    marginNanos = margin.toNanos();
  }

  /** The clock of a run of a number of messages. */
  static RunClock untimed() {
    return new RunClock(false, Duration.ZERO, Duration.ZERO);
  }

  /** The clock of a run of this duration, including both margins. */
  static RunClock timed(Duration duration, Duration margin) {
    return new RunClock(true, duration, margin);
  }

  /** Whether the run ends by the clock. */
  boolean isTimed() {
    return timed;
  }

  /** Starts the run. */
  void start(long now) {
    start = now;
  }

  /** When it ends. */
  long end() {
    return start + nanos;
  }

  /** Whether it has ended by the clock. */
  boolean isOver(long now) {
    return timed && now - end() >= 0;
  }

  /** Whether what happens now counts. */
  boolean counts(long now) {
    if (!timed) {
      return true;
    }
    long at = now - start;
    boolean counts = at >= marginNanos && at < nanos - marginNanos;
    if (counts != counting) {
      counting = counts;
      allocated = THREADS.getTotalThreadAllocatedBytes() - allocated;
    }
    return counts;
  }

  /** What all threads of this process have allocated while things counted, in bytes. */
  long allocatedBytes() {
    return counting ? THREADS.getTotalThreadAllocatedBytes() - allocated : allocated;
  }

  /** The duration of the part that counts, in nanoseconds. */
  long countedNanos() {
    return nanos - 2 * marginNanos;
  }
}
