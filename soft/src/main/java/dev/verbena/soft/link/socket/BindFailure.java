package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.socket.PortHolders.Extent;
import dev.verbena.soft.link.socket.PortHolders.Held;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import dev.verbena.wire.RocePorts;

/** Explains a failed bind of a device's UDP socket to the user. */
final class BindFailure {
  static final String FUNCTION = "openDevice";

  private static final Held UNKNOWN =
      new Held(
          "another process, or by the kernel's module rdma_rxe, which takes it on all addresses",
          Extent.ONE);

  private BindFailure() {}

  static VerbsException of(int errno, LocalAddress local) {
    return new VerbsException(FUNCTION, errno, explanation(errno, local));
  }

  private static String explanation(int errno, LocalAddress local) {
    String address = local.text();
    return switch (errno) {
      case Errno.EADDRINUSE ->
          "UDP port "
              + RocePorts.UDP_PORT
              + " of "
              + address
              + " is taken by "
              + holder(local.address());
      case Errno.EADDRNOTAVAIL ->
          "address "
              + address
              + " is not an address of this computer; choose one that is, or soft0";
      case Errno.EACCES, Errno.EPERM ->
          "this process may not bind UDP port " + RocePorts.UDP_PORT + " of " + address;
      default -> "UDP port " + RocePorts.UDP_PORT + " of " + address + " could not be bound";
    };
  }

  /** Who has the port, and what to do about it. */
  private static String holder(Address address) {
    Held known = PortHolders.ofThisComputer().find(Gids.gid(address));
    Held held = known == null ? UNKNOWN : known;
    return held + "; " + wayOut(held.extent());
  }

  /** What a device can have instead. */
  static String wayOut(Extent held) {
    String first =
        switch (held) {
          case ONE -> "choose another address with soft:ADDRESS, or";
          case ALL_IPV4 -> "choose an IPv6 address with soft:ADDRESS, or";
          case ALL -> "end it, or use";
        };
    return first + ", if both ends are in one process, soft:new, which needs no port";
  }
}
