package dev.verbena.soft.link;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether the engine thread is parked, so that waking it costs nothing while it is not, and no wake
 * is lost. One thread parks, any thread wakes.
 */
public final class Parking {
  private static final int RUNNING = 0;
  private static final int PARKED = 1;
  private static final int WOKEN = 2;

  private final AtomicInteger state = new AtomicInteger(RUNNING);

  /**
   * Announces that the caller is about to block.
   *
   * @return false if it must not, because of a wake that came before, which is thereby used up
   */
  public boolean park() {
    if (state.compareAndSet(RUNNING, PARKED)) {
      return true;
    }
    state.getAndSet(RUNNING);
    return false;
  }

  /** Announces that the caller blocks no longer; uses up a wake, and sees what its caller wrote. */
  public void unpark() {
    state.getAndSet(RUNNING);
  }

  /** Whether the one who has announced that it blocks may go on to do so. */
  public boolean isParked() {
    return state.get() == PARKED;
  }

  /** Whether a wake came that was not used up. */
  public boolean isWoken() {
    return state.get() == WOKEN;
  }

  /**
   * Ends the present blocking or prevents the next.
   *
   * @return true if a thread is parked and the caller has to unblock it
   */
  public boolean wake() {
    return state.getAndSet(WOKEN) == PARKED;
  }

  /** The same, but does nothing unless a thread is parked. */
  public boolean wakeIfParked() {
    return state.get() == PARKED && state.compareAndSet(PARKED, WOKEN);
  }
}
