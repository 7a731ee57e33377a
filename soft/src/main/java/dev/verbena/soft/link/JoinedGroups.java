package dev.verbena.soft.link;

import java.util.Arrays;

/**
 * The multicast groups of an in-memory link. Looking one up takes no lock and allocates nothing.
 */
final class JoinedGroups {
  /** Upper and lower half of each group's address, by turns. */
  private volatile long[] halves = {};

  synchronized void add(long hi, long lo) {
    long[] more = Arrays.copyOf(halves, halves.length + 2);
    more[more.length - 2] = hi;
    more[more.length - 1] = lo;
    halves = more;
  }

  synchronized void remove(long hi, long lo) {
    int index = indexOf(halves, hi, lo);
    if (index < 0) {
      return;
    }
    long[] fewer = Arrays.copyOf(halves, halves.length - 2);
    System.arraycopy(halves, index + 2, fewer, index, fewer.length - index);
    halves = fewer;
  }

  boolean contains(long hi, long lo) {
    return indexOf(halves, hi, lo) >= 0;
  }

  private static int indexOf(long[] all, long hi, long lo) {
    for (int i = 0; i < all.length; i += 2) {
      if (all[i] == hi && all[i + 1] == lo) {
        return i;
      }
    }
    return -1;
  }
}
