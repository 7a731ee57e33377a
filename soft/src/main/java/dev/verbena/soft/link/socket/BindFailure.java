package dev.verbena.soft.link.socket;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.RocePorts;

/** What a failed bind of a device's UDP socket means to the user. */
final class BindFailure {
  static final String FUNCTION = "openDevice";

  private BindFailure() {}

  static VerbsException of(int errno, String address) {
    return new VerbsException(FUNCTION, errno, explanation(errno, address));
  }

  private static String explanation(int errno, String address) {
    return switch (errno) {
      case Errno.EADDRINUSE ->
          "UDP port "
              + RocePorts.UDP_PORT
              + " of "
              + address
              + " is taken: by the kernel's rdma_rxe, which takes it on all addresses, or by a"
              + " Verbena device of another process; choose another address with soft:ADDRESS";
      case Errno.EADDRNOTAVAIL -> "address " + address + " is not an address of this computer";
      case Errno.EACCES, Errno.EPERM ->
          "this process may not bind UDP port " + RocePorts.UDP_PORT + " of " + address;
      default -> "UDP port " + RocePorts.UDP_PORT + " of " + address + " could not be bound";
    };
  }
}
