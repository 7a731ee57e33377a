package dev.verbena.soft.link.socket;

import dev.verbena.wire.Address;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that a socket has met: a packet from one of them needs no new object. Whoever sends
 * from more addresses than there is room for takes the places of others, which are then made again.
 * For one thread at a time.
 */
public final class KnownAddresses {
  /** Places in which one address may be; a power of two, as the next one. */
  private static final int WAYS = 4;

  private static final int PLACES = 1024;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final @Nullable Address[] places = new Address[PLACES];
  private int victim;

  /** The address with these halves. */
  public Address of(long hi, long lo) {
    int home = (int) (((hi ^ lo) * GOLDEN) >>> 32) & (PLACES - WAYS);
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
