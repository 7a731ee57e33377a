package dev.verbena.soft.engine.qp;

import java.util.Arrays;

/**
 * The addresses of devices that were reached without packets and have ended, as long as packets
 * that they have sent may wait in the link: until that was found empty. Under the link.rx guard.
 */
public final class Departures {
  private long[] addresses = {};

  /** A device has sent its last packet. */
  public void add(long hi, long lo) {
    if (include(hi, lo)) {
      return;
    }
    long[] more = Arrays.copyOf(addresses, addresses.length + 2);
    more[more.length - 2] = hi;
    more[more.length - 1] = lo;
    addresses = more;
  }

  /** Whether a packet from this address may be from such a device. */
  public boolean include(long hi, long lo) {
    for (int i = 0; i < addresses.length; i += 2) {
      if (addresses[i] == hi && addresses[i + 1] == lo) {
        return true;
      }
    }
    return false;
  }

  /** The link was found empty. */
  public void forget() {
    if (addresses.length > 0) {
      addresses = new long[0];
    }
  }
}
