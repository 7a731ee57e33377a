package dev.verbena.soft.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One counter of a queue pair, to which one thread at a time adds, under a guard, so that it takes
 * a store and no atomic operation. Any thread may read it. It has its own cache line, because
 * different threads often run the two halves of a queue pair.
 */
public final class GuardedCount {
  private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(long[].class);

  /** In the middle, so that it shares its cache line with nothing else. */
  private static final int PLACE = 8;

  private final long[] value = new long[2 * PLACE];

  GuardedCount() {}

  /** Adds this number. */
  public void add(long amount) {
    VALUE.setRelease(value, PLACE, value[PLACE] + amount);
  }

  long get() {
    return (long) VALUE.getAcquire(value, PLACE);
  }
}
