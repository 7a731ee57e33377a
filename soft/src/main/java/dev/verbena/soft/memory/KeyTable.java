package dev.verbena.soft.memory;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds regions by key. A key is a 16-bit slot, drawn at random, 8 random bits that tell lkey, rkey
 * and successive users of the slot apart, and an 8-bit tag (design rule "Keys"). Looking up takes
 * no lock; registering and removing do.
 */
public final class KeyTable {
  /** Most regions at a time. */
  public static final int CAPACITY = 1 << 16;

  private static final int PAGE = 256;

  private final IntSupplier random;
  private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable Region>> pages =
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
    if (used == CAPACITY) {
      return null;
    }
    int slot = random.getAsInt() & (CAPACITY - 1);
    while (at(slot) != null) {
      slot = (slot + 1) & (CAPACITY - 1);
    }
    int salts = random.getAsInt();
    int lkey = key(slot, salts);
    int rkey = key(slot, salts >>> 16);
    if (rkey == lkey) {
      rkey = key(slot, (salts >>> 16) ^ 0x100);
    }
    Region region = new Region(lkey, rkey, domain, access, base, memory);
    page(slot).set(slot % PAGE, region);
    used++;
    return region;
  }

  /** Puts {@code next} in the place of {@code present}; both have the same keys. */
  public synchronized void replace(Region present, Region next) {
    int slot = slot(present.lkey());
    page(slot).set(slot % PAGE, next);
  }

  /** Removes a region: from now on its keys find nothing. */
  public synchronized void remove(Region region) {
    int slot = slot(region.lkey());
    page(slot).set(slot % PAGE, null);
    used--;
  }

  /** The region with this lkey, or null. */
  public @Nullable Region byLocalKey(int lkey) {
    Region region = at(slot(lkey));
    return region != null && region.lkey() == lkey ? region : null;
  }

  /** The region with this rkey, or null. */
  public @Nullable Region byRemoteKey(int rkey) {
    Region region = at(slot(rkey));
    return region != null && region.rkey() == rkey ? region : null;
  }

  private @Nullable Region at(int slot) {
    AtomicReferenceArray<@Nullable Region> page = pages.getAcquire(slot / PAGE);
    return page == null ? null : page.getAcquire(slot % PAGE);
  }

  private AtomicReferenceArray<@Nullable Region> page(int slot) {
    AtomicReferenceArray<@Nullable Region> page = pages.get(slot / PAGE);
    if (page == null) {
      page = new AtomicReferenceArray<>(PAGE);
      pages.set(slot / PAGE, page);
    }
    return page;
  }

  private static int slot(int key) {
    return key >>> 16;
  }

  /** Slot and 16 salt bits; never 0, which stands for "no key". */
  private static int key(int slot, int salt) {
    int key = (slot << 16) | (salt & 0xffff);
    return key == 0 ? 1 : key;
  }
}
