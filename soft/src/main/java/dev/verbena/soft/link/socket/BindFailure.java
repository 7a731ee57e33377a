package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Gids;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import dev.verbena.wire.RocePorts;

/** Explains a failed bind of a device's UDP socket to the user. */
final class BindFailure {
  static final String FUNCTION = "openDevice";

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
              + holder(local.address())
              + "; choose another address with soft:ADDRESS, or soft:new, which needs no port";
      case Errno.EADDRNOTAVAIL ->
          "address "
              + address
              + " is not an address of this computer; choose one that is, or soft0";
      case Errno.EACCES, Errno.EPERM ->
          "this process may not bind UDP port " + RocePorts.UDP_PORT + " of " + address;
      default -> "UDP port " + RocePorts.UDP_PORT + " of " + address + " could not be bound";
    };
  }

  private static String holder(Address address) {
    String known = PortHolders.ofThisComputer().describe(Gids.gid(address));
    return known == null
        ? "another process, or by the kernel's module rdma_rxe, which takes it on all addresses"
        : known;
  }
}
