package dev.verbena.soft.device;

import dev.verbena.soft.queue.Guard;
import org.jspecify.annotations.Nullable;

/**
 * The critical section of posting to one queue pair: for one call, or from wrStart to wrComplete
 * (S2.20). Knows which thread has such a region open, also where no guard keeps threads apart.
 */
final class PostSection {
  private final Guard guard;

  /**
   * Thread between wrStart and wrComplete. Every thread only asks whether it is itself, so what
   * others see of it does not matter.
   */
  private @Nullable Thread regionOwner;

  PostSection(Guard guard) {
    this.guard = guard;
  }

  /** Whether this thread is between wrStart and wrComplete. */
  boolean inRegion() {
    return Thread.currentThread().equals(regionOwner);
  }

  /** Refuses a call that makes no sense between wrStart and wrComplete (S2.21, S2.22). */
  void requireOutside(String function) {
    if (inRegion()) {
      throw new IllegalStateException(
          function + " between wrStart and wrComplete of the same thread and queue pair");
    }
  }

  /** Refuses a call that makes sense only between wrStart and wrComplete. */
  void requireRegion(String function) {
    if (!inRegion()) {
      throw new IllegalStateException(function + " without wrStart");
    }
  }

  /** Enters for one call. */
  void enter() {
    guard.enter();
  }

  /** Ends {@link #enter}. */
  void exit() {
    guard.exit();
  }

  /** Enters until {@link #endRegion}. */
  void beginRegion() {
    guard.enter();
    regionOwner = Thread.currentThread();
  }

  /** Ends {@link #beginRegion}. */
  void endRegion() {
    regionOwner = null;
    guard.exit();
  }
}
