package dev.verbena.soft.device.open;

import dev.verbena.soft.device.spec.FreshAddress;
import dev.verbena.soft.device.spec.Limits;
import dev.verbena.soft.engine.qp.Fabric;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.PortCap;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import dev.verbena.wire.MulticastGroup;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/** A port on Ethernet: GIDs are IP addresses, and there are no LIDs. */
final class RocePort extends SoftPort {
  RocePort(Gid gid, Link link, Tally tally) {
    super(PortKind.ROCE, gid, link, tally);
  }

  @Override
  int capFlags() {
    return PortCap.CM_SUP | PortCap.IP_BASED_GIDS;
  }

  @Override
  public int lid() {
    return 0;
  }

  @Override
  int smLid() {
    return 0;
  }

  @Override
  int lmc() {
    return 0;
  }

  @Override
  int smSl() {
    return 0;
  }

  @Override
  int subnetTimeout() {
    return 0;
  }

  @Override
  int interfaceIndex() {
    InetAddress address = address().toInetAddress();
    try {
      NetworkInterface exact = NetworkInterface.getByInetAddress(address);
      if (exact != null) {
        return exact.getIndex();
      }
      return address.isLoopbackAddress() ? loopbackIndex() : 0;
    } catch (SocketException e) {
      throw new VerbsException(
          "queryGidEx", Errno.EIO, "the network interfaces cannot be listed: " + e, e);
    }
  }

  /** All of 127.0.0.0/8 is on the loopback interface, although only its first address is listed. */
  private static int loopbackIndex() throws SocketException {
    Enumeration<NetworkInterface> interfaces = NetworkInterface.getNetworkInterfaces();
    while (interfaces.hasMoreElements()) {
      NetworkInterface candidate = interfaces.nextElement();
      if (candidate.isLoopback()) {
        return candidate.getIndex();
      }
    }
    return 0;
  }

  @Override
  public int pkeyCount() {
    return Limits.PKEYS;
  }

  @Override
  int pkeyAt(int index) {
    return Iba.DEFAULT_PKEY;
  }

  @Override
  void checkDestination(String function, AhAttr address) {
    if (!address.isGlobal()) {
      throw refused(function, "no global route, which RoCE needs: set isGlobal, dgid, sgidIndex");
    }
    String obstacle = obstacle(address.dgid());
    if (obstacle != null) {
      throw refused(function, "destination GID " + address.dgid() + obstacle);
    }
  }

  /** Why packets cannot get there, or null. */
  private @Nullable String obstacle(Gid to) {
    if (FreshAddress.isOfAnotherProcess(to)) {
      return " is a device that another process has opened as soft:new, in its own memory, where"
          + " nothing else can reach it; open soft0 or soft:ADDRESS in both processes";
    }
    String unreachable = " cannot be reached from the device's " + address();
    boolean sameFamily = ipOf(to).isIpv4Mapped() == address().isIpv4Mapped();
    if (FreshAddress.is(address()) && !(sameFamily && mayBeInMemory(to))) {
      return unreachable
          + ": this device was opened as soft:new and is in memory; open soft0 or soft:ADDRESS to"
          + " reach other addresses";
    }
    if (sameFamily) {
      return null;
    }
    return FreshAddress.is(to)
        ? unreachable
            + ": the destination was opened as soft:new and is in memory; open both devices as"
            + " soft:new, or none"
        : unreachable;
  }

  /** False for what is no device of this process, and cannot become one unnoticed. */
  private static boolean mayBeInMemory(Gid to) {
    Address address = Gids.address(to);
    return FreshAddress.is(to) || to.isMulticast() || Fabric.shared().isHere(address);
  }

  /** Uses only the low bits of the flow label, as adapters do, because UCX sets all 32. */
  @Override
  public Route route(AhAttr peer) {
    Gid to = ipOf(peer.dgid());
    return new Route(
        Gids.address(to), peer.trafficClass(), peer.hopLimit(), peer.flowLabel() & FLOW_LABEL);
  }

  @Override
  public Gid group(String function, Gid group, int lid) {
    Gid ip = ipOf(group);
    if (ip.isIpv4Mapped() != address().isIpv4Mapped()) {
      throw refused(
          function,
          "the IPv4 group " + group + " cannot be reached from the device's address " + address());
    }
    return ip;
  }

  /** The IP address of a GID, which is usually the GID itself (S8.7). */
  private Gid ipOf(Gid destination) {
    return Gids.gid(MulticastGroup.of(Gids.address(destination), address().isIpv4Mapped()));
  }
}
