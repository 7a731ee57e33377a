package dev.verbena.soft.memory;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds regions and windows by key. A key is a randomly drawn 16-bit slot, 8 random bits that
 * distinguish lkey, rkey and successive users of the slot, and an 8-bit tag, which the application
 * chooses for a window's key. Look-ups take no lock; registering and removing do.
 */
public final class KeyTable {
  /** The most regions and memory windows at a time. */
  public static final int CAPACITY = 1 << 16;

  private static final int PAGE = 256;
  private static final int SLOT_SHIFT = 16;

  private final IntSupplier random;
  private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable Keyed>> pages =
      new AtomicReferenceArray<>(CAPACITY / PAGE);
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
   * @return the region, or null if all {@link #CAPACITY} slots are taken
   */
  public synchronized @Nullable Region register(
      MemorySegment memory, long base, int access, Domain domain) {
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
    put(slot, region);
    return region;
  }

  /** Registers a null region, or returns null if all slots are taken. */
  public synchronized @Nullable NullRegion registerNull(Domain domain) {
    int slot = freeSlot();
    if (slot < 0) {
      return null;
    }
    NullRegion region = new NullRegion(key(slot, random.getAsInt()), domain);
    put(slot, region);
    return region;
  }

  /** Adds a window, made for the drawn key; null if all slots are taken. */
  synchronized @Nullable Window add(IntFunction<Window> maker) {
    int slot = freeSlot();
    if (slot < 0) {
      return null;
    }
    int key = key(slot, random.getAsInt());
    // No tag of the application makes it 0, which means "no key".
    Window window = maker.apply(key >>> 8 == 0 ? key | 0x100 : key);
    put(slot, window);
    return window;
  }

  private int freeSlot() {
    if (used == CAPACITY) {
      return -1;
    }
    int slot = random.getAsInt() & (CAPACITY - 1);
    while (entry(slot << SLOT_SHIFT) != null) {
      slot = (slot + 1) & (CAPACITY - 1);
    }
    return slot;
  }

  private void put(int slot, Keyed entry) {
    page(slot).set(slot % PAGE, entry);
    used++;
  }

  /** Replaces {@code present} by {@code next}; both have the same keys. */
  public synchronized void replace(Region present, Region next) {
    int slot = slot(present.lkey());
    page(slot).set(slot % PAGE, next);
  }

  /** Removes a region: from now on its keys find nothing. */
  public void remove(Region region) {
    clear(slot(region.lkey()));
  }

  /** Removes a null region. */
  public void remove(NullRegion region) {
    clear(slot(region.lkey()));
  }

  /** Removes a window: from now on none of its keys finds anything. */
  void remove(Window window) {
    clear(slot(window.firstKey()));
  }

  private synchronized void clear(int slot) {
    page(slot).set(slot % PAGE, null);
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

  /** The window whose slot a key names, whatever its tag, or null. */
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

  /** The entry in the slot that a key names, whatever the key's other bits, or null. */
  private @Nullable Keyed entry(int key) {
    int slot = key >>> SLOT_SHIFT;
    AtomicReferenceArray<@Nullable Keyed> page = pages.getAcquire(slot / PAGE);
    return page == null ? null : page.getAcquire(slot % PAGE);
  }

  private AtomicReferenceArray<@Nullable Keyed> page(int slot) {
    AtomicReferenceArray<@Nullable Keyed> page = pages.get(slot / PAGE);
    if (page == null) {
      page = new AtomicReferenceArray<>(PAGE);
      pages.set(slot / PAGE, page);
    }
    return page;
  }

  private static int slot(int key) {
    return key >>> SLOT_SHIFT;
  }

  /** Slot and 16 salt bits; never 0, which means "no key". */
  private static int key(int slot, int salt) {
    int key = (slot << SLOT_SHIFT) | (salt & 0xffff);
    return key == 0 ? 1 : key;
  }
}
