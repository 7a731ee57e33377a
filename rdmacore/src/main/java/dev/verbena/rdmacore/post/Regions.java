package dev.verbena.rdmacore.post;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The registered memory of a context by its lkey: a table with open addressing, in which a search
 * allocates nothing and waits for nobody.
 */
public final class Regions {
  private static final int FIRST_SIZE = 64;

  private volatile AtomicReferenceArray<@Nullable Place> table =
      new AtomicReferenceArray<>(FIRST_SIZE);

  private int taken;

  /**
   * A place of the table, which keeps its key when its region is gone: a search goes on behind it.
   * Who has found it may look here again.
   */
  public static final class Place {
    /** Opens nothing. */
    public static final Place EMPTY = new Place(0, null);

    private final int lkey;
    private volatile @Nullable RegisteredMemory registered;

    /**
     * That of the memory, here because {@link #isUsable} is called for each request; null from when
     * the region is about to end.
     */
    private volatile MemorySegment.@Nullable Scope scope;

    private Place(int lkey, @Nullable RegisteredMemory registered) {
      this.lkey = lkey;
      this.registered = registered;
      this.scope = registered == null ? null : registered.memory().scope();
    }

    /** Whether what this key opens is here, and has not been freed. */
    boolean isUsable(int key) {
      MemorySegment.Scope present = scope;
      return lkey == key && present != null && present.isAlive();
    }

    /** What this key opens, if it is here and not about to end; null otherwise. */
    @Nullable RegisteredMemory find(int key) {
      return scope == null ? null : findAlsoEnding(key);
    }

    /** What this key opens, or has opened until it was about to end. */
    @Nullable RegisteredMemory findAlsoEnding(int key) {
      return lkey == key ? registered : null;
    }

    private boolean hasEnded() {
      return registered == null;
    }

    /**
     * The region is about to end, and opens nothing from now on; but until it has ended, requests
     * about its memory are refused if that was freed.
     */
    public void suspend() {
      scope = null;
    }

    /** The region does not end. */
    public void resume() {
      RegisteredMemory present = registered;
      scope = present == null ? null : present.memory().scope();
    }

    /** The region has ended. */
    public void end() {
      registered = null;
      scope = null;
    }
  }

  /** What this key opens, or null. */
  @Nullable RegisteredMemory find(int lkey) {
    return place(lkey).find(lkey);
  }

  /**
   * Where what this key opens is; what is about to end only if no other region has its key. An
   * empty place if it opens nothing.
   */
  Place place(int lkey) {
    AtomicReferenceArray<@Nullable Place> places = table;
    Place ending = Place.EMPTY;
    for (int i = start(lkey, places); ; i = next(i, places)) {
      Place place = places.get(i);
      if (place == null) {
        return ending;
      }
      if (place.find(lkey) != null) {
        return place;
      }
      if (place.findAlsoEnding(lkey) != null) {
        ending = place;
      }
    }
  }

  /** Adds it until the place that it gets is {@link Place#end ended}. */
  public synchronized Place add(RegisteredMemory registered) {
    if (2 * (taken + 1) > table.length()) {
      grow();
    }
    Place place = new Place(registered.lkey(), registered);
    put(table, place);
    taken++;
    return place;
  }

  /** Makes a table of what is left, with room for as much again. */
  private void grow() {
    AtomicReferenceArray<@Nullable Place> old = table;
    int left = 0;
    for (int i = 0; i < old.length(); i++) {
      Place place = old.get(i);
      left += place == null || place.hasEnded() ? 0 : 1;
    }
    int size = Math.max(FIRST_SIZE, Integer.highestOneBit(left + 1) << 3);
    AtomicReferenceArray<@Nullable Place> larger = new AtomicReferenceArray<>(size);
    for (int i = 0; i < old.length(); i++) {
      Place place = old.get(i);
      if (place != null && !place.hasEnded()) {
        put(larger, place);
      }
    }
    taken = left;
    table = larger;
  }

  private static void put(AtomicReferenceArray<@Nullable Place> places, Place place) {
    int i = start(place.lkey, places);
    while (places.get(i) != null) {
      i = next(i, places);
    }
    places.set(i, place);
  }

  private static int start(int lkey, AtomicReferenceArray<@Nullable Place> places) {
    int mixed = lkey * 0x9e3779b9;
    return (mixed ^ mixed >>> 16) & (places.length() - 1);
  }

  private static int next(int i, AtomicReferenceArray<@Nullable Place> places) {
    return (i + 1) & (places.length() - 1);
  }
}
