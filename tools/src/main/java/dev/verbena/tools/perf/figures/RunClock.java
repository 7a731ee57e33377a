package dev.verbena.tools.perf.figures;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Determines when a run begins and ends, and what counts. A run of a number of messages ends with
 * the last one. A timed run leaves out a margin at its beginning and end, when its peer may not
 * have begun yet or may have ended.
 */
public final class RunClock {
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
  public static RunClock untimed() {
    return new RunClock(false, Duration.ZERO, Duration.ZERO);
  }

  /** The clock of a run of this duration, including both margins. */
  public static RunClock timed(Duration duration, Duration margin) {
    return new RunClock(true, duration, margin);
  }

  /** Whether the run ends by the clock. */
  public boolean isTimed() {
    return timed;
  }

  /** Starts the run. */
  public void start(long now) {
    start = now;
  }

  /** When it ends. */
  public long end() {
    return start + nanos;
  }

  /** Whether it has ended by the clock. */
  public boolean isOver(long now) {
    return timed && now - end() >= 0;
  }

  /** Whether what happens now counts. */
  public boolean counts(long now) {
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
  public long allocatedBytes() {
    return counting ? THREADS.getTotalThreadAllocatedBytes() - allocated : allocated;
  }

  /** The duration of the part that counts, in nanoseconds. */
  public long countedNanos() {
    return nanos - 2 * marginNanos;
  }
}
