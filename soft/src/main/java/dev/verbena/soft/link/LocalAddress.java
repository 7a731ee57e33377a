package dev.verbena.soft.link;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.IpUdpHeader;
import dev.verbena.wire.RoceAddress;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/**
 * An address of this computer and what the system says about the interface that has it.
 *
 * @param hi upper half of the address
 * @param lo lower half of the address
 * @param interfaceName the interface's name; empty if no interface is known to have the address
 * @param interfaceIndex its number; 0 if unknown
 * @param interfaceMtu its largest IP packet, bytes
 */
record LocalAddress(long hi, long lo, String interfaceName, int interfaceIndex, int interfaceMtu) {
  private static final int USUAL_MTU = 1500;

  /** Asks the system; an address that no interface has is found out by binding it. */
  static LocalAddress of(long hi, long lo) {
    try {
      NetworkInterface found = find(new Gid(hi, lo).toInetAddress());
      return found == null
          ? new LocalAddress(hi, lo, "", 0, USUAL_MTU)
          : new LocalAddress(hi, lo, found.getName(), found.getIndex(), found.getMTU());
    } catch (SocketException e) {
      throw new VerbsException(
          BindFailure.FUNCTION,
          Errno.EIO,
          "the interface of " + text(hi, lo) + " could not be looked up: " + e.getMessage(),
          e);
    }
  }

  private static @Nullable NetworkInterface find(InetAddress address) throws SocketException {
    NetworkInterface found = NetworkInterface.getByInetAddress(address);
    if (found != null || !address.isLoopbackAddress()) {
      return found;
    }
    // All of 127.0.0.0/8 is the loopback interface's, but only 127.0.0.1 is listed.
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
    return RoceAddress.isIpv4Mapped(hi, lo);
  }

  /**
   * Refuses a multicast group of the other IP version.
   *
   * @throws VerbsException EAFNOSUPPORT
   */
  void requireGroupOfSameVersion(long hi, long lo) {
    if (RoceAddress.isIpv4Mapped(hi, lo) != isIpv4()) {
      throw new VerbsException(
          "attachMcast",
          Errno.EAFNOSUPPORT,
          "group " + text(hi, lo) + " has another IP version than " + text());
    }
  }

  /** The zone a link-local IPv6 address needs; 0 for all others. */
  int scope() {
    return !isIpv4() && isLinkLocal(hi) ? interfaceIndex : 0;
  }

  /** Whether an IPv6 address with this upper half is in fe80::/10. */
  static boolean isLinkLocal(long hi) {
    return hi >>> 54 == 0xFE80 >>> 6;
  }

  /** The largest datagram that the interface takes and a device sends, bytes. */
  int maxDatagram() {
    return Math.min(MemoryLink.MAX_DATAGRAM, interfaceMtu - IpUdpHeader.length(isIpv4()));
  }

  /** The address as users write it. */
  String text() {
    return text(hi, lo);
  }

  static String text(long hi, long lo) {
    Gid gid = new Gid(hi, lo);
    return gid.isIpv4Mapped() ? gid.toInetAddress().getHostAddress() : gid.toString();
  }
}
