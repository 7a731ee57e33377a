package dev.verbena.soft.link;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.Address;

/** Converts addresses to GIDs, as users of verbs know them, and back. */
public final class Gids {
  /** The address of a GID. */
  public static Address address(Gid gid) {
    return new Address(gid.subnetPrefix(), gid.interfaceId());
  }

  /** The GID of an address. */
  public static Gid gid(Address address) {
    return new Gid(address.hi(), address.lo());
  }

  private Gids() {}
}
