package dev.verbena.soft.engine.progress;

import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.transport.Clock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Wakes its entries at or soon after their deadlines, never before. Arming and firing take constant
 * time, however many entries there are.
 *
 * <p>Deadlines of retransmissions are nearly always pushed back before they pass. So an entry that
 * is armed no later than a new deadline stays where it is ({@link #covers}): when it fires, its
 * owner checks the deadline and arms it again. Deadlines beyond the wheel's turn wait in its last
 * slot in the same way. The caller passes the time in; allocates nothing.
 */
final class TimerWheel<T> {
  private static final VarHandle TICK;

  static {
    try {
      TICK = MethodHandles.lookup().findVarHandle(Entry.class, "tick", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A tick is 2^16 ns, 66 µs; a turn of the wheel is 268 ms. */
  private static final int TICK_BITS = 16;

  private static final int SLOTS = 4096;
  private static final long UNARMED = Long.MAX_VALUE;

  /** An entry of one wheel. */
  static final class Entry<T> {
    private final T item;
    private @Nullable Entry<T> previous;
    private @Nullable Entry<T> next;
    // Written under the wheel's guard, read by covers() without.
    private long tick = UNARMED;

    Entry(T item) {
      this.item = item;
    }
  }

  private final Guard guard = new LockGuard();
  private final Consumer<T> fired;
  private final @Nullable Entry<T>[] slots;
  private final long[] occupied = new long[SLOTS / Long.SIZE];
  private int count;
  // All ticks up to this one have fired.
  private long current;
  private volatile long nextFiring = Clock.NEVER;

  /**
   * @param fired called for each entry that fires; may take leaf guards only
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  TimerWheel(Consumer<T> fired) {
    this.fired = fired;
    this.slots = new Entry[SLOTS];
  }

  /** Whether the entry fires early enough for a deadline, so that it need not be armed. */
  boolean covers(Entry<T> entry, long deadline) {
    return (long) TICK.getOpaque(entry) <= tickAfter(deadline);
  }

  /**
   * Makes the entry fire at or soon after a deadline, or earlier if it is already armed for that.
   */
  void arm(Entry<T> entry, long deadline, long now) {
    guard.enter();
    try {
      if (count == 0) {
        current = Math.max(current, now >> TICK_BITS);
      }
      long tick = Math.clamp(tickAfter(deadline), current + 1, current + SLOTS - 1);
      if (entry.tick <= tick) {
        return;
      }
      if (entry.tick != UNARMED) {
        unlink(entry);
      }
      link(entry, tick);
      if (tick << TICK_BITS < nextFiring) {
        nextFiring = tick << TICK_BITS;
      }
    } finally {
      guard.exit();
    }
  }

  /** When {@link #fire} next has something to do, or {@link Clock#NEVER}. */
  long nextFiring() {
    return nextFiring;
  }

  /** The number of armed entries. */
  int size() {
    guard.enter();
    try {
      return count;
    } finally {
      guard.exit();
    }
  }

  /**
   * Fires due entries. Only one thread at a time does so; others return at once.
   *
   * @return how many entries fired
   */
  int fire(long now) {
    if (now < nextFiring || !guard.tryEnter()) {
      return 0;
    }
    try {
      long upTo = Math.max(current, now >> TICK_BITS);
      int before = count;
      long last = Math.min(upTo, current + SLOTS - 1);
      for (long tick = nextOccupied(current); tick <= last; tick = nextOccupied(tick)) {
        fireSlot(tick);
      }
      current = upTo;
      long next = nextOccupied(current);
      nextFiring = next == UNARMED ? Clock.NEVER : next << TICK_BITS;
      return before - count;
    } finally {
      guard.exit();
    }
  }

  private void fireSlot(long tick) {
    int slot = slot(tick);
    Entry<T> entry = slots[slot];
    slots[slot] = null;
    occupied[slot / Long.SIZE] &= ~(1L << slot);
    while (entry != null) {
      Entry<T> next = entry.next;
      entry.next = null;
      entry.previous = null;
      TICK.setOpaque(entry, UNARMED);
      count--;
      fired.accept(entry.item);
      entry = next;
    }
  }

  /** The first tick after this one, within a turn, that has an entry; UNARMED if none has. */
  private long nextOccupied(long tick) {
    if (count == 0) {
      return UNARMED;
    }
    long candidate = tick + 1;
    long end = tick + SLOTS;
    while (candidate < end) {
      int slot = slot(candidate);
      long rest = occupied[slot / Long.SIZE] >>> slot;
      if (rest != 0) {
        return candidate + Long.numberOfTrailingZeros(rest);
      }
      candidate += Long.SIZE - slot % Long.SIZE;
    }
    return UNARMED;
  }

  private void link(Entry<T> entry, long tick) {
    int slot = slot(tick);
    Entry<T> head = slots[slot];
    entry.next = head;
    if (head != null) {
      head.previous = entry;
    }
    slots[slot] = entry;
    occupied[slot / Long.SIZE] |= 1L << slot;
    TICK.setOpaque(entry, tick);
    count++;
  }

  private void unlink(Entry<T> entry) {
    int slot = slot(entry.tick);
    if (entry.previous == null) {
      slots[slot] = entry.next;
    } else {
      entry.previous.next = entry.next;
    }
    if (entry.next != null) {
      entry.next.previous = entry.previous;
    }
    if (slots[slot] == null) {
      occupied[slot / Long.SIZE] &= ~(1L << slot);
    }
    entry.previous = null;
    entry.next = null;
    count--;
  }

  /** The first tick that begins after a deadline. */
  private static long tickAfter(long deadline) {
    return (deadline >> TICK_BITS) + 1;
  }

  private static int slot(long tick) {
    return (int) (tick & (SLOTS - 1));
  }
}
