package dev.verbena.rdmacore.post;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The registered memory of a context by its lkey: a table with open addressing, in which a search
 * allocates nothing and waits for nobody.
 */
public final class Regions {
  private static final int FIRST_SIZE = 64;

  /** A place that was used, behind which a search goes on. */
  private static final Place GONE = new Place(null);

  private volatile AtomicReferenceArray<@Nullable Place> table =
      new AtomicReferenceArray<>(FIRST_SIZE);

  private int taken;

  /** A place of the table that was used once; its region may be gone. */
  private record Place(@Nullable RegisteredMemory registered) {}

  /** What this key opens, or null. */
  @Nullable RegisteredMemory find(int lkey) {
    AtomicReferenceArray<@Nullable Place> places = table;
    for (int i = start(lkey, places); ; i = next(i, places)) {
      Place place = places.get(i);
      if (place == null) {
        return null;
      }
      RegisteredMemory registered = place.registered();
      if (registered != null && registered.lkey() == lkey) {
        return registered;
      }
    }
  }

  public synchronized void add(RegisteredMemory registered) {
    if (2 * (taken + 1) > table.length()) {
      grow();
    }
    put(table, new Place(registered), registered.lkey());
    taken++;
  }

  public synchronized void remove(RegisteredMemory registered) {
    AtomicReferenceArray<@Nullable Place> places = table;
    for (int i = start(registered.lkey(), places); ; i = next(i, places)) {
      Place place = places.get(i);
      if (place == null) {
        return;
      }
      if (registered.equals(place.registered())) {
        places.set(i, GONE);
        return;
      }
    }
  }

  /** Makes a table of what is left, with room for as much again. */
  private void grow() {
    AtomicReferenceArray<@Nullable Place> old = table;
    int left = 0;
    for (int i = 0; i < old.length(); i++) {
      Place place = old.get(i);
      left += place == null || place.registered() == null ? 0 : 1;
    }
    int size = Math.max(FIRST_SIZE, Integer.highestOneBit(left + 1) << 3);
    AtomicReferenceArray<@Nullable Place> larger = new AtomicReferenceArray<>(size);
    for (int i = 0; i < old.length(); i++) {
      Place place = old.get(i);
      RegisteredMemory registered = place == null ? null : place.registered();
      if (place != null && registered != null) {
        put(larger, place, registered.lkey());
      }
    }
    taken = left;
    table = larger;
  }

  private static void put(AtomicReferenceArray<@Nullable Place> places, Place place, int lkey) {
    int i = start(lkey, places);
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
