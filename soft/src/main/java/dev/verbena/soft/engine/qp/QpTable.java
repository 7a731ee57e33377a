package dev.verbena.soft.engine.qp;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Queue pairs, or other objects that requests name, by number. Numbers are unpredictable, like
 * keys, so that strangers cannot guess them: 16 bits name a slot, 8 bits distinguish its users. A
 * freed slot rests until {@value #RESTING} others have been freed, so that late packets for an old
 * number find no queue pair. A look-up takes no lock.
 */
public final class QpTable<T> {
  /** The most entries at a time. */
  public static final int CAPACITY = 1 << 15;

  /** Slots that rest before they are reused. */
  static final int RESTING = 1 << 12;

  private static final int SLOTS = 1 << 16;
  private static final int PAGE = 256;
  private static final int LAST_NUMBER = 0xFFFFFF;

  private record Slot<T>(int number, T item) {}

  private final RandomGenerator random;
  private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable Slot<T>>> pages =
      new AtomicReferenceArray<>(SLOTS / PAGE);

  /** Entries of each page. An empty page is dropped, so that a visit need not look through it. */
  private final int[] onPage = new int[SLOTS / PAGE];

  private final BitSet unavailable = new BitSet(SLOTS);
  private final int[] resting = new int[RESTING];
  private long freed;
  private int used;

  public QpTable(RandomGenerator random) {
    this.random = random;
  }

  /** Draws a number and keeps it for {@link #put}; -1 if {@link #CAPACITY} are in use. */
  public synchronized int draw() {
    if (used == CAPACITY) {
      return -1;
    }
    int number;
    do {
      int drawn = random.nextInt();
      int slot = unavailable.nextClearBit(drawn & (SLOTS - 1));
      if (slot >= SLOTS) {
        slot = unavailable.nextClearBit(0);
      }
      number = (drawn >>> 8 & 0xFF0000) | slot;
    } while (isReserved(number));
    unavailable.set(number & (SLOTS - 1));
    used++;
    return number;
  }

  /**
   * Reserves a number that is never drawn for {@link #put}.
   *
   * @return false if its slot is in use or resting
   */
  public synchronized boolean reserve(int number) {
    int slot = number & (SLOTS - 1);
    if (used == CAPACITY || unavailable.get(slot)) {
      return false;
    }
    unavailable.set(slot);
    used++;
    return true;
  }

  /** Adds an entry under the number that was drawn for it. */
  public synchronized void put(int number, T item) {
    int slot = number & (SLOTS - 1);
    AtomicReferenceArray<@Nullable Slot<T>> page = pages.get(slot / PAGE);
    if (page == null) {
      page = new AtomicReferenceArray<>(PAGE);
      pages.set(slot / PAGE, page);
    }
    page.set(slot % PAGE, new Slot<>(number, item));
    onPage[slot / PAGE]++;
  }

  /** Removes an entry, if there is one; its number rests. */
  public synchronized void remove(int number) {
    if (find(number) == null) {
      return;
    }
    int slot = number & (SLOTS - 1);
    AtomicReferenceArray<@Nullable Slot<T>> page = pages.get(slot / PAGE);
    if (page != null) {
      page.set(slot % PAGE, null);
      onPage[slot / PAGE]--;
      if (onPage[slot / PAGE] == 0) {
        pages.set(slot / PAGE, null);
      }
    }
    int oldest = (int) (freed % RESTING);
    if (freed >= RESTING) {
      unavailable.clear(resting[oldest]);
    }
    resting[oldest] = slot;
    freed++;
    used--;
  }

  /** The entry with this number, or null. */
  public @Nullable T find(int number) {
    int index = number & (SLOTS - 1);
    AtomicReferenceArray<@Nullable Slot<T>> page = pages.getAcquire(index / PAGE);
    Slot<T> slot = page == null ? null : page.getAcquire(index % PAGE);
    return slot == null || slot.number != number ? null : slot.item;
  }

  /** Visits all entries that exist during the whole visit. */
  public void forEach(Consumer<T> visitor) {
    for (int i = 0; i < pages.length(); i++) {
      AtomicReferenceArray<@Nullable Slot<T>> page = pages.get(i);
      for (int j = 0; page != null && j < PAGE; j++) {
        Slot<T> slot = page.get(j);
        if (slot != null) {
          visitor.accept(slot.item);
        }
      }
    }
  }

  /** 0 and 1 are the management queue pairs, and the last one means multicast. */
  private static boolean isReserved(int number) {
    return number <= 1 || number == LAST_NUMBER;
  }
}
