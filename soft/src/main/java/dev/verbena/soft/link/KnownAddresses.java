package dev.verbena.soft.link;

import dev.verbena.wire.Address;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that a link has met, so that a packet from one of them needs no new object. A
 * sender with more addresses than there is room for displaces others, which are then created again.
 * For one thread at a time.
 */
public final class KnownAddresses {
  /** Possible places of one address; a power of two, like the next constant. */
  private static final int WAYS = 4;

  private static final int PLACES = 1024;

  private final @Nullable Address[] places = new Address[PLACES];
  private int victim;

  /** The address with these halves. */
  public Address of(long hi, long lo) {
    int home = (int) (((hi ^ lo) * Address.SPREAD) >>> 32) & (PLACES - WAYS);
    for (int i = home; i < home + WAYS; i++) {
      Address known = places[i];
      if (known != null && known.is(hi, lo)) {
        return known;
      }
    }
    Address met = new Address(hi, lo);
    places[home + (victim++ & (WAYS - 1))] = met;
    return met;
  }
}
