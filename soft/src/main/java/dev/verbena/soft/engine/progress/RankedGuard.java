package dev.verbena.soft.engine.progress;

import dev.verbena.soft.queue.Guard;

/**
 * Checks that every thread takes guards in the order of {@link Rank}. For the test build; switched
 * on by the system property {@value #PROPERTY}={@value #CHECKED}.
 */
public final class RankedGuard implements Guard {
  /** System property that switches the check on. */
  static final String PROPERTY = "dev.verbena.guards";

  /** Its value. */
  static final String CHECKED = "checked";

  public static final boolean CHECKING = CHECKED.equals(System.getProperty(PROPERTY));

  private static final Rank[] RANKS = Rank.values();

  /** How many guards of each rank the thread holds. */
  private static final ThreadLocal<int[]> HELD =
      ThreadLocal.withInitial(() -> new int[RANKS.length]);

  private final Guard guard;
  private final Rank rank;

  RankedGuard(Guard guard, Rank rank) {
    this.guard = guard;
    this.rank = rank;
  }

  /** A new guard, checked in the test build. */
  public static Guard make(Rank rank) {
    Guard guard = new LockGuard();
    return CHECKING ? new RankedGuard(guard, rank) : guard;
  }

  @Override
  public void enter() {
    check();
    guard.enter();
    HELD.get()[rank.order()]++;
  }

  @Override
  public boolean tryEnter() {
    check();
    boolean entered = guard.tryEnter();
    if (entered) {
      HELD.get()[rank.order()]++;
    }
    return entered;
  }

  @Override
  public void exit() {
    guard.exit();
    HELD.get()[rank.order()]--;
  }

  /**
   * Only guards that are held between calls change hands, and for these no check counts the
   * holders.
   */
  @Override
  public void takeOver() {
    guard.takeOver();
    HELD.get()[rank.order()]++;
  }

  @Override
  public void open() {
    guard.open();
  }

  @Override
  public boolean isHeldByCurrentThread() {
    return guard.isHeldByCurrentThread();
  }

  private void check() {
    if (guard.isHeldByCurrentThread()) {
      throw new AssertionError("guard " + rank + " is already held by this thread");
    }
    int[] held = HELD.get();
    int lowest = rank.isHeldBetweenCalls() ? Rank.LINK_RX.order() : rank.order();
    for (int other = lowest; other < held.length; other++) {
      if (held[other] > 0) {
        throw new AssertionError("guard " + rank + " taken while " + RANKS[other] + " is held");
      }
    }
  }
}
