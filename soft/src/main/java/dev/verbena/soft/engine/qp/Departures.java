package dev.verbena.soft.engine.qp;

import dev.verbena.wire.Address;
import java.util.HashSet;
import java.util.Set;

/**
 * The addresses of ended devices that were reached without packets, kept while packets from them
 * may still wait in the link, that is, until it was found empty. Used under the link.rx guard.
 */
public final class Departures {
  private final Set<Address> addresses = new HashSet<>();

  /** Whether there are any. */
  public boolean any;

  /** A device has sent its last packet. */
  public void add(Address device) {
    addresses.add(device);
    any = true;
  }

  /** Whether a packet from this address may be from such a device. */
  public boolean include(Address sender) {
    return addresses.contains(sender);
  }

  /** The link was found empty. */
  public void forget() {
    addresses.clear();
    any = false;
  }
}
