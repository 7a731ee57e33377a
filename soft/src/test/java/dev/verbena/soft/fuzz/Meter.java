package dev.verbena.soft.fuzz;

import java.lang.management.ManagementFactory;
import java.util.function.BooleanSupplier;

/**
 * What the packets of an attacker cost the devices: the bytes that a step allocates, and its CPU
 * time. What a packet claims to be long, such as a READ, must not make a step costly.
 */
public final class Meter {
  /** Far more than any step needs, and far less than a packet can ask for. */
  private static final long MOST_BYTES = 1 << 20;

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final long nanosAllowed;
  private long mostBytes;
  private long mostNanos;

  private Meter(long nanosAllowed) {
    this.nanosAllowed = nanosAllowed;
  }

  /** One for a step that may take any time, as where classes are still loaded. */
  public static Meter ofMemory() {
    return new Meter(Long.MAX_VALUE);
  }

  /** One for a step that may not take longer than this, in nanoseconds of CPU time. */
  public static Meter ofMemoryAndTime(long nanos) {
    return new Meter(nanos);
  }

  /** Runs a step of the devices, and returns its result. */
  boolean measure(BooleanSupplier step) {
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    long nanos = THREADS.getCurrentThreadCpuTime();
    boolean result = step.getAsBoolean();
    mostNanos = Math.max(mostNanos, THREADS.getCurrentThreadCpuTime() - nanos);
    mostBytes = Math.max(mostBytes, THREADS.getCurrentThreadAllocatedBytes() - bytes);
    if (mostBytes > MOST_BYTES) {
      throw new AssertionError("a step has allocated " + mostBytes + " bytes");
    }
    if (mostNanos > nanosAllowed) {
      throw new AssertionError("a step has taken " + mostNanos + " ns of CPU time");
    }
    return result;
  }

  /** CPU time of the longest step, in nanoseconds. */
  public long mostNanos() {
    return mostNanos;
  }

  /** Bytes that a step has allocated at most. */
  public long mostBytes() {
    return mostBytes;
  }
}
