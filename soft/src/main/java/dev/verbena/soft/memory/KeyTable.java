package dev.verbena.soft.memory;

import dev.verbena.verbs.Access;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds regions and windows by key. A key is a randomly drawn 19-bit slot and 13 further random
 * bits, which distinguish lkey, rkey and successive users of the slot; of a window's key the
 * application chooses the last 8, the tag. Look-ups take no lock; registering and removing do.
 *
 * <p>An entry has a place, whose number is the first bits of its slot. The more entries there are,
 * the more places has the table; as no two entries share one, neither do they in a table of twice
 * the size. Even the largest table is at most half full, so a free place is near whatever is drawn.
 */
public final class KeyTable {
  /** The most regions and memory windows at a time. */
  public static final int CAPACITY = 1 << 18;

  private static final int SLOTS = 2 * CAPACITY;
  private static final int SALT_BITS = Integer.numberOfLeadingZeros(SLOTS - 1);
  private static final int SALTS = 1 << SALT_BITS;

  /**
   * The places of a small table, and how many there are for each entry until all slots have one.
   */
  private static final int LEAST_PLACES = 256;

  private static final int PLACES_PER_ENTRY = 8;

  private final IntSupplier random;

  /** As many as a power of two. Only replaced by a larger one, under the lock. */
  private volatile AtomicReferenceArray<@Nullable Keyed> places =
      new AtomicReferenceArray<>(LEAST_PLACES);

  private int used;

  /**
   * @param random source of unpredictable bits, used only while registering
   */
  public KeyTable(IntSupplier random) {
    this.random = random;
  }

  /**
   * Registers memory under new keys.
   *
   * @return the region, or null if there are {@link #CAPACITY}
   */
  public synchronized @Nullable Region register(
      MemorySegment memory, long base, int access, Domain domain) {
    if ((access & Access.REMOTE_ATOMIC) != 0) {
      RemoteAtomics.warmUp();
    }
    int slot = freeSlot();
    if (slot < 0) {
      return null;
    }
    int salts = random.getAsInt();
    int lkey = key(slot, salts);
    int rkey = key(slot, salts >>> 16);
    if (rkey == lkey) {
      rkey = key(slot, (salts >>> 16) ^ 0x100);
    }
    Region region = new Region(lkey, rkey, domain, access, base, memory);
    put(region.lkey(), region);
    return region;
  }

  /** Registers a null region, or returns null if there are {@link #CAPACITY} entries. */
  public synchronized @Nullable NullRegion registerNull(Domain domain) {
    int slot = freeSlot();
    if (slot < 0) {
      return null;
    }
    NullRegion region = new NullRegion(key(slot, random.getAsInt()), domain);
    put(region.lkey(), region);
    return region;
  }

  /** Adds a window, made for the drawn key; null if there are {@link #CAPACITY} entries. */
  synchronized @Nullable Window add(IntFunction<Window> maker) {
    int slot = freeSlot();
    if (slot < 0) {
      return null;
    }
    int key = key(slot, random.getAsInt());
    // No tag of the application makes it 0, which means "no key".
    Window window = maker.apply(key >>> 8 == 0 ? key | 0x100 : key);
    put(window.firstKey(), window);
    return window;
  }

  /** A drawn slot, or one in the next free place; -1 if there are {@link #CAPACITY} entries. */
  private int freeSlot() {
    if (used == CAPACITY) {
      return -1;
    }
    if (places.length() < SLOTS && (used + 1) * PLACES_PER_ENTRY > places.length()) {
      grow();
    }
    int slotsPerPlace = SLOTS / places.length();
    int slot = random.getAsInt() & (SLOTS - 1);
    while (entry(slot << SALT_BITS) != null) {
      slot = (slot + slotsPerPlace) & (SLOTS - 1);
    }
    return slot;
  }

  /** Who removes an entry waits for threads that may have found it, so also in the old table. */
  private void grow() {
    AtomicReferenceArray<@Nullable Keyed> old = places;
    AtomicReferenceArray<@Nullable Keyed> larger = new AtomicReferenceArray<>(2 * old.length());
    for (int i = 0; i < old.length(); i++) {
      Keyed entry = old.getPlain(i);
      if (entry != null) {
        larger.setPlain(place(aKey(entry), larger), entry);
      }
    }
    places = larger;
  }

  private static int aKey(Keyed entry) {
    return switch (entry) {
      case Registration registration -> registration.lkey();
      case Window window -> window.firstKey();
    };
  }

  private void put(int key, Keyed entry) {
    places.set(place(key, places), entry);
    used++;
  }

  /** Replaces {@code present} by {@code next}; both have the same keys. */
  public synchronized void replace(Region present, Region next) {
    places.set(place(present.lkey(), places), next);
  }

  /** Removes a region: from now on its keys find nothing. */
  public void remove(Region region) {
    clear(region.lkey());
  }

  /** Removes a null region. */
  public void remove(NullRegion region) {
    clear(region.lkey());
  }

  /** Removes a window: from now on none of its keys finds anything. */
  void remove(Window window) {
    clear(window.firstKey());
  }

  private synchronized void clear(int key) {
    places.set(place(key, places), null);
    used--;
  }

  /** The region with this lkey, or null. Never returns a null region. */
  public @Nullable Region byLocalKey(int lkey) {
    return entry(lkey) instanceof Region region && region.lkey() == lkey ? region : null;
  }

  /** The region with this rkey, or the binding of the window with this key, or null. */
  public @Nullable Region byRemoteKey(int rkey) {
    Keyed entry = entry(rkey);
    if (entry instanceof Region region) {
      return region.rkey() == rkey ? region : null;
    }
    return entry instanceof Window window ? window.boundBy(rkey) : null;
  }

  /** The window in the place of a key, whatever its tag, or null. */
  @Nullable Window window(int key) {
    return entry(key) instanceof Window window ? window : null;
  }

  /**
   * Checks one element of local memory, and adds it to {@code into}.
   *
   * @return NONE, or the fault; then nothing was added
   */
  AccessFault resolveLocal(
      int lkey, Domain domain, int right, long addr, long length, SpanList into) {
    Keyed entry = entry(lkey);
    if (entry instanceof Region region && region.lkey() == lkey) {
      return region.resolve(domain, right, addr, length, into);
    }
    return entry instanceof NullRegion nothing && nothing.lkey() == lkey
        ? nothing.resolve(domain, right, length, into)
        : AccessFault.UNKNOWN_KEY;
  }

  /** The entry in the place of a key, whatever the key's other bits, or null. */
  private @Nullable Keyed entry(int key) {
    AtomicReferenceArray<@Nullable Keyed> present = places;
    // As place() says, without the call: each request comes here.
    return present.getAcquire(key >>> Integer.numberOfLeadingZeros(present.length() - 1));
  }

  private static int place(int key, AtomicReferenceArray<?> places) {
    return key >>> Integer.numberOfLeadingZeros(places.length() - 1);
  }

  /** Slot and 13 salt bits; never 0, which means "no key". */
  private static int key(int slot, int salt) {
    int key = (slot << SALT_BITS) | (salt & (SALTS - 1));
    return key == 0 ? 1 : key;
  }
}
