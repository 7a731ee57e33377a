package dev.verbena.tools.kit;

import java.time.Duration;

/**
 * Controls a polling thread while it finds nothing: it spins for about a round trip, then yields
 * the processor at every poll (the thread it waits for may need it), and finally gives up.
 */
public final class Idling {
  private static final int SPINS = 1 << 10;
  private static final int POLLS_PER_CLOCK = 1 << 8;

  private final long patienceNanos;
  private int polls;
  private long deadline;

  /** Gives up after {@code patience}, or never if it is zero. */
  public Idling(Duration patience) {
    patienceNanos = patience.toNanos();
  }

  /** Notes that a poll found something. */
  public void reset() {
    polls = 0;
    deadline = 0;
  }

  /** Notes that a poll found nothing; false once the patience is exhausted. */
  @SuppressWarnings("ThreadPriorityCheck") // yielding is only polite: nothing depends on it
  public boolean idle() {
    if (++polls < SPINS) {
      Thread.onSpinWait();
      return true;
    }
    Thread.yield();
    return patienceNanos == 0 || polls % POLLS_PER_CLOCK != 0 || isInTime();
  }

  private boolean isInTime() {
    long now = System.nanoTime();
    if (deadline == 0) {
      deadline = now + patienceNanos;
    }
    return now - deadline < 0;
  }
}
