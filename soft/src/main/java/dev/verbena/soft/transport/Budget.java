package dev.verbena.soft.transport;

import dev.verbena.soft.queue.Apart;

/** What one turn under a guard may still do, so that no thread waits long for it. */
public final class Budget extends Apart {
  /** Bytes that may be copied while a guard is held. */
  public static final long BYTES = 256 * 1024;

  /** Work requests or packets of one turn. */
  public static final int STEPS = 64;

  private long bytes = BYTES;
  private int steps = STEPS;

  /** A full budget. */
  public Budget() {}

  /** Refills it. */
  public void refill() {
    bytes = BYTES;
    steps = STEPS;
  }

  /** Takes one step that copies this much. */
  public void spend(long copied) {
    bytes -= copied;
    steps--;
  }

  /** How many bytes have been copied since it was refilled. */
  public long copied() {
    return BYTES - bytes;
  }

  /** Whether nothing is left. */
  public boolean isSpent() {
    return bytes <= 0 || steps <= 0;
  }
}
