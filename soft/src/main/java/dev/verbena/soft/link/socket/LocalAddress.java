package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Link;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import dev.verbena.wire.IpUdpHeader;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/**
 * An address of this computer, with the system's information about its interface.
 *
 * @param address the address
 * @param interfaceName the interface's name; empty if no interface is known to have the address
 * @param interfaceIndex its number; 0 if unknown
 * @param interfaceMtu its largest IP packet, bytes
 */
record LocalAddress(Address address, String interfaceName, int interfaceIndex, int interfaceMtu) {
  private static final int USUAL_MTU = 1500;

  /** Queries the system; binding will reveal an address that no interface has. */
  static LocalAddress of(Address address) {
    try {
      NetworkInterface found = find(Gids.gid(address).toInetAddress());
      return found == null
          ? new LocalAddress(address, "", 0, USUAL_MTU)
          : new LocalAddress(address, found.getName(), found.getIndex(), found.getMTU());
    } catch (SocketException e) {
      throw new VerbsException(
          BindFailure.FUNCTION,
          Errno.EIO,
          "the interface of " + address + " could not be looked up: " + e.getMessage(),
          e);
    }
  }

  private static @Nullable NetworkInterface find(InetAddress address) throws SocketException {
    NetworkInterface found = NetworkInterface.getByInetAddress(address);
    if (found != null || !address.isLoopbackAddress()) {
      return found;
    }
    // All of 127.0.0.0/8 belongs to the loopback interface, but only 127.0.0.1 is listed.
    for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
      if (each.isLoopback()) {
        return each;
      }
    }
    return null;
  }

  /** Whether the interface is known. */
  boolean hasInterface() {
    return !interfaceName.isEmpty();
  }

  /**
   * The interface.
   *
   * @throws SocketException if it is not known, or gone
   */
  NetworkInterface networkInterface() throws SocketException {
    NetworkInterface found = hasInterface() ? NetworkInterface.getByName(interfaceName) : null;
    if (found == null) {
      throw new SocketException("the interface of " + text() + " was not found");
    }
    return found;
  }

  boolean isIpv4() {
    return address.isIpv4();
  }

  /**
   * Refuses a multicast group of the other IP version.
   *
   * @throws VerbsException EAFNOSUPPORT
   */
  void requireGroupOfSameVersion(Address group) {
    if (group.isIpv4() != isIpv4()) {
      throw new VerbsException(
          "attachMcast",
          Errno.EAFNOSUPPORT,
          "group " + group + " has another IP version than " + text());
    }
  }

  /** The zone that a link-local IPv6 address needs; 0 for all others. */
  int scope() {
    return address.isLinkLocal() ? interfaceIndex : 0;
  }

  /** The largest datagram that the interface takes and a device sends, in bytes. */
  int maxDatagram() {
    return Math.min(Link.MAX_DATAGRAM, interfaceMtu - IpUdpHeader.length(isIpv4()));
  }

  /** The address as users write it. */
  String text() {
    return address.toString();
  }
}
