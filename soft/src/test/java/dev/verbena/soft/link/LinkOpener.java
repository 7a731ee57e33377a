package dev.verbena.soft.link;

import dev.verbena.wire.Address;

/** Opens a kind of link at an address. */
@FunctionalInterface
public interface LinkOpener {
  Link open(Address address, LinkCounters counters);
}
