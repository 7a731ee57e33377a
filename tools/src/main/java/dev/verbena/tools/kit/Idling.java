package dev.verbena.tools.kit;

import java.time.Duration;

/**
 * What a polling thread does while it finds nothing: spins for about a round trip, then lets other
 * threads have the processor at every poll (the one that is waited for may need it), and in the end
 * gives up.
 */
public final class Idling {
  private static final int SPINS = 1 << 10;
  private static final int POLLS_PER_CLOCK = 1 << 8;

  private final long patienceNanos;
  private int polls;
  private long deadline;

  /** Gives up after {@code patience}, never if it is zero. */
  public Idling(Duration patience) {
    patienceNanos = patience.toNanos();
  }

  /** Something was found. */
  public void reset() {
    polls = 0;
    deadline = 0;
  }

  /** Nothing was found; false once patience is at its end. */
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
