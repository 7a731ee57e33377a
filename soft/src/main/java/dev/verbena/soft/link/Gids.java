package dev.verbena.soft.link;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.Address;

/** Addresses as users of verbs know them, and back. */
public final class Gids {
  /** The address that a GID is. */
  public static Address address(Gid gid) {
    return new Address(gid.subnetPrefix(), gid.interfaceId());
  }

  /** The GID that an address is. */
  public static Gid gid(Address address) {
    return new Gid(address.hi(), address.lo());
  }

  private Gids() {}
}
