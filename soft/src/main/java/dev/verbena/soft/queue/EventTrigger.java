package dev.verbena.soft.queue;

import java.util.function.LongSupplier;

/**
 * Decides when an armed completion queue raises its event (S6.6): with the next entry, or, with
 * moderation, when a number of entries have gathered or the first of them has waited for a time
 * (S6.11). Used under the guard for adding.
 */
final class EventTrigger {
  /** A deadline that never comes. */
  static final long NEVER = Long.MAX_VALUE;

  enum Armed {
    NO,
    SOLICITED,
    ANY
  }

  private final LongSupplier clock;

  /** Which entries raise the event; nothing waits while none does. */
  Armed armed = Armed.NO;

  private int count;
  private long periodNanos;
  private int gathered;

  /** When the waiting event is due, or {@link #NEVER}. */
  long deadline = NEVER;

  EventTrigger(LongSupplier clock) {
    this.clock = clock;
  }

  /** Asks for an event; "any" is not weakened by "solicited". */
  void arm(boolean solicitedOnly) {
    if (!solicitedOnly) {
      armed = Armed.ANY;
    } else if (armed == Armed.NO) {
      armed = Armed.SOLICITED;
    }
  }

  /**
   * Sets the moderation; events do not wait if one of the values leaves nothing to wait for.
   *
   * @return whether to raise a waiting event now, because it has nothing to wait for
   */
  boolean moderate(int newCount, long newPeriodNanos) {
    count = newCount;
    periodNanos = newPeriodNanos;
    return gathered > 0 && fire();
  }

  /**
   * An entry was added.
   *
   * @param solicited whether it counts if only solicited events are requested
   * @return whether to raise the event
   */
  boolean added(boolean solicited) {
    if (armed == Armed.NO || (armed == Armed.SOLICITED && !solicited)) {
      return false;
    }
    if (count <= 1 || periodNanos == 0) {
      return fire();
    }
    gathered++;
    if (gathered >= count) {
      return fire();
    }
    if (gathered == 1) {
      deadline = clock.getAsLong() + periodNanos;
    }
    return false;
  }

  /** An entry was lost: whether to raise the event, whatever it was to wait for. */
  boolean lost() {
    return armed != Armed.NO && fire();
  }

  /** Whether the waiting event is due and must be raised. */
  boolean expired(long now) {
    return deadline <= now && fire();
  }

  private boolean fire() {
    armed = Armed.NO;
    gathered = 0;
    deadline = NEVER;
    return true;
  }
}
