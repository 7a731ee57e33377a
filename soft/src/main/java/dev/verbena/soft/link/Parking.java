package dev.verbena.soft.link;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Knows whether the engine thread is parked, so that waking costs nothing while it is not, and no
 * wake is lost. One thread parks, any thread wakes.
 */
public final class Parking {
  private static final int RUNNING = 0;
  private static final int PARKED = 1;
  private static final int WOKEN = 2;

  private final AtomicInteger state = new AtomicInteger(RUNNING);

  /**
   * Announces that the caller is about to block.
   *
   * @return false if it must not block, because of an earlier wake, which this uses up
   */
  public boolean park() {
    if (state.compareAndSet(RUNNING, PARKED)) {
      return true;
    }
    state.getAndSet(RUNNING);
    return false;
  }

  /**
   * Announces that the caller no longer blocks; uses up a wake, and sees what the waking thread
   * wrote.
   */
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
   * Ends the current blocking, or prevents the next.
   *
   * @return true if a thread is parked and the caller must unblock it
   */
  public boolean wake() {
    return state.getAndSet(WOKEN) == PARKED;
  }

  /** The same, but does nothing unless a thread is parked. */
  public boolean wakeIfParked() {
    return state.get() == PARKED && state.compareAndSet(PARKED, WOKEN);
  }
}
