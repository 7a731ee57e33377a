package dev.verbena.soft.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Mistakes of this library that a packet or a timer brought to light: they end neither a thread nor
 * the application's call. Logged at the 1st, 2nd, 4th, 8th time and so on, so that who can provoke
 * one cannot fill the disk.
 */
final class Failures {
  private static final Logger LOG = System.getLogger(Engine.class.getName());

  private final String device;
  private @Nullable Throwable first;
  private long count;

  /**
   * @param device name for messages
   */
  Failures(String device) {
    this.device = device;
  }

  /** Notes one. */
  synchronized void add(String doing, Throwable failure) {
    count++;
    if (first == null) {
      first = failure;
    }
    if (Long.bitCount(count) == 1) {
      LOG.log(
          Level.ERROR,
          device + ": failure " + count + " of the engine, " + doing + ": please report it",
          failure);
    }
  }

  /** How many there were. */
  synchronized long count() {
    return count;
  }

  /** The first one, or null. */
  synchronized @Nullable Throwable first() {
    return first;
  }
}
