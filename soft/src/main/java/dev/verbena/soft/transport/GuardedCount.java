package dev.verbena.soft.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One counter of a queue pair, to which one thread at a time adds, under a guard, so that it takes
 * a store and no atomic operation. Any thread may read it. It has its own cache line, but for one
 * {@link #beside} it, because different threads often run the two halves of a queue pair.
 */
public final class GuardedCount {
  private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(long[].class);

  /** In the middle, so that it shares its cache line with nothing else. */
  private static final int PLACE = 8;

  private final long[] value;
  private final int place;

  GuardedCount() {
    this(new long[2 * PLACE], PLACE);
  }

  private GuardedCount(long[] value, int place) {
    this.value = value;
    this.place = place;
  }

  /** Another counter, to which the same thread adds at the same time, in the same cache line. */
  GuardedCount beside() {
    return new GuardedCount(value, place + 1);
  }

  /** Adds this number. */
  public void add(long amount) {
    VALUE.setRelease(value, place, value[place] + amount);
  }

  long get() {
    return (long) VALUE.getAcquire(value, place);
  }
}
