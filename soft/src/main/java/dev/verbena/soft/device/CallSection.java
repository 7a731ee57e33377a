package dev.verbena.soft.device;

import dev.verbena.soft.queue.Guard;
import dev.verbena.verbs.ObjectClosedException;
import org.jspecify.annotations.Nullable;

/**
 * A critical section that an application can keep open between two calls, its region. Knows which
 * thread has it open, also where no guard keeps threads apart; misuse is told at once, for it would
 * be a deadlock otherwise (S2.21).
 */
abstract class CallSection {
  private final Guard guard;
  private final Lifetime lifetime;
  private final String opening;
  private final String closing;
  private final String object;

  /**
   * Thread whose region is open. Every thread only asks whether it is itself, so what others see of
   * it does not matter; but for one that takes the region over, which comes behind its owner.
   */
  private @Nullable Thread regionOwner;

  /**
   * @param guard held in the section
   * @param lifetime of the object: nobody enters once that has ended
   * @param opening the call that opens a region
   * @param closing the call that closes it
   * @param object what it belongs to
   */
  CallSection(Guard guard, Lifetime lifetime, String opening, String closing, String object) {
    this.guard = guard;
    this.lifetime = lifetime;
    this.opening = opening;
    this.closing = closing;
    this.object = object;
  }

  /** Whether this thread has the region open. */
  final boolean inRegion() {
    return Thread.currentThread().equals(regionOwner);
  }

  /** Refuses a call that makes no sense within a region. */
  final void requireOutside(String function) {
    if (inRegion()) {
      throw new IllegalStateException(
          "%s between %s and %s of the same thread and %s"
              .formatted(function, opening, closing, object));
    }
  }

  /** Refuses a call that makes sense only within a region. */
  final void requireRegion(String function) {
    if (!inRegion()) {
      throw new IllegalStateException(function + " without " + opening);
    }
  }

  /**
   * Enters for one call.
   *
   * @throws ObjectClosedException if the object has ended, perhaps while this thread waited
   */
  final void enter(String function) {
    guard.enter();
    if (lifetime.isClosed()) {
      guard.exit();
      lifetime.require(function);
    }
  }

  /** Ends {@link #enter}. */
  final void exit() {
    guard.exit();
  }

  /**
   * Enters until {@link #endRegion}.
   *
   * @throws ObjectClosedException as {@link #enter}
   */
  final void beginRegion(String function) {
    enter(function);
    regionOwner = Thread.currentThread();
  }

  /** An open region is this thread's from now on, whoever began it. */
  final void resumeRegion() {
    if (regionOwner != null && !inRegion()) {
      guard.takeOver();
      regionOwner = Thread.currentThread();
    }
  }

  /**
   * The object has ended: who waits to enter is told so, even if a region is open that its thread
   * has abandoned without closing it.
   */
  final void release() {
    guard.open();
  }

  /** Ends {@link #beginRegion}. */
  final void endRegion() {
    regionOwner = null;
    guard.exit();
  }
}
