package dev.verbena.soft.queue;

import java.util.function.LongSupplier;

/**
 * When a completion queue that was asked for an event raises it (S6.6): with the next entry, or,
 * moderated, when so many entries have gathered or the first of them has waited so long (S6.11).
 * Under the guard of those who add.
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

  /** When the event that is waiting is due, or {@link #NEVER}. */
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
   * Lets events wait, or not any more if one of the values leaves nothing to wait for.
   *
   * @return whether an event that is waiting is to be raised now: it waits for nothing new
   */
  boolean moderate(int newCount, long newPeriodNanos) {
    count = newCount;
    periodNanos = newPeriodNanos;
    return gathered > 0 && fire();
  }

  /**
   * An entry was added.
   *
   * @param solicited whether it counts for those who wait for solicited ones only
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

  /** Whether the event that is waiting is due and to be raised. */
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
