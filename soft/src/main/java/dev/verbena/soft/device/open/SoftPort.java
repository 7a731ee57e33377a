package dev.verbena.soft.device.open;

import dev.verbena.soft.device.life.Limits;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.PortAttr;
import dev.verbena.verbs.PortCap;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.MulticastGroup;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Enumeration;
import java.util.List;

/** The one port of a device: its state, its GID table and its P_Key table (S11.4-S11.7). */
public final class SoftPort {
  /** Its number. */
  static final int NUMBER = 1;

  /** What a datagram has beside its payload, at the most: of the 80 bytes of rxe, those in UDP. */
  private static final int HEADERS = 52;

  private static final int LINK_UP = 5;
  private static final int DISABLED = 3;
  private static final int WIDTH_1X = 1;
  private static final int SPEED_2_5 = 1;
  private static final int ONE_LANE = 1;
  private static final int MAX_VIOLATIONS = 0xffff;

  private static final int MAX_OCTET = 0xff;
  private static final int MAX_SL = 15;
  private static final int FLOW_LABEL = 0xf_ffff;

  private final Gid gid;
  private final Link link;
  private final Tally tally;
  private final Mtu activeMtu;
  private volatile boolean hasAddress = true;

  SoftPort(Gid gid, Link link, Tally tally) {
    this.gid = gid;
    this.link = link;
    this.tally = tally;
    this.activeMtu = largestMtu(link.maxDatagram());
  }

  /** The largest MTU whose full packets fit into datagrams of this size. */
  public static Mtu largestMtu(int maxDatagram) {
    Mtu largest = Mtu.MTU_256;
    for (Mtu mtu : Mtu.values()) {
      if (mtu.bytes() + HEADERS <= maxDatagram && mtu.compareTo(Limits.MAX_MTU) <= 0) {
        largest = mtu;
      }
    }
    return largest;
  }

  /** The device's address, GID index 0. */
  public Gid address() {
    return gid;
  }

  /** Largest path MTU that can be used now. */
  public Mtu activeMtu() {
    return activeMtu;
  }

  /** State and limits. */
  public PortAttr query() {
    boolean up = link.state().isUp();
    return new PortAttr(
        /* state= */ up ? PortState.ACTIVE : PortState.DOWN,
        /* maxMtu= */ Limits.MAX_MTU,
        /* activeMtu= */ activeMtu,
        /* gidTblLen= */ Limits.GIDS,
        /* portCapFlags= */ PortCap.CM_SUP | PortCap.IP_BASED_GIDS,
        /* maxMsgSz= */ Limits.MAX_MESSAGE,
        /* badPkeyCntr= */ violations(Counter.DROPPED_PKEY),
        /* qkeyViolCntr= */ violations(Counter.DROPPED_QKEY),
        /* pkeyTblLen= */ Limits.PKEYS,
        /* lid= */ 0,
        /* smLid= */ 0,
        /* lmc= */ 0,
        /* maxVlNum= */ ONE_LANE,
        /* smSl= */ 0,
        /* subnetTimeout= */ 0,
        /* initTypeReply= */ 0,
        /* activeWidth= */ WIDTH_1X,
        /* activeSpeed= */ SPEED_2_5,
        /* physState= */ up ? LINK_UP : DISABLED,
        /* linkLayer= */ LinkLayer.ETHERNET,
        /* flags= */ PortAttr.GRH_REQUIRED);
  }

  private int violations(Counter counter) {
    return (int) Math.min(MAX_VIOLATIONS, tally.get(counter));
  }

  /** Refuses the number of a port that does not exist. */
  public static void checkNumber(String function, int portNum) {
    if (portNum < 1 || portNum > Limits.PORTS) {
      throw refused(function, "port " + portNum + ", this device has ports 1 to " + Limits.PORTS);
    }
  }

  /** The address was taken from its interface, or came back. */
  void hasAddress(boolean has) {
    hasAddress = has;
  }

  /** The GID at an index; zero if the entry is empty. */
  public Gid gid(String function, int index) {
    if (index < 0 || index >= Limits.GIDS) {
      throw refused(
          function, "GID index " + index + ", the table has " + Limits.GIDS + " entries from 0");
    }
    return index == 0 && hasAddress ? gid : Gid.ZERO;
  }

  /** The entries that are not empty. */
  public List<GidEntry> gidEntries(String function) {
    return hasAddress ? List.of(gidEntry(function, 0)) : List.of();
  }

  /** The entry at an index. */
  public GidEntry gidEntry(String function, int index) {
    if (gid(function, index).isZero()) {
      throw new VerbsException(
          function,
          Errno.ENODATA,
          "GID index " + index + " is empty; index 0 has the device's address " + gid + emptied());
    }
    return new GidEntry(gid, index, NUMBER, GidType.ROCE_V2, interfaceIndex());
  }

  private String emptied() {
    return hasAddress ? "" : ", which this computer no longer has";
  }

  private int interfaceIndex() {
    InetAddress address = gid.toInetAddress();
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

  /** All of 127.0.0.0/8 is on the loopback interface, though only its first address is listed. */
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

  /** The P_Key at an index. */
  public static int pkey(String function, int index) {
    if (index < 0 || index >= Limits.PKEYS) {
      throw refused(
          function, "P_Key index " + index + ", the table has " + Limits.PKEYS + " entry");
    }
    return Limits.DEFAULT_PKEY;
  }

  /**
   * Refuses the address of a peer that cannot be used (S4.4, S11.7).
   *
   * @throws VerbsException EINVAL
   */
  public void checkAddress(String function, AhAttr address) {
    checkNumber(function, address.portNum());
    if (!address.isGlobal()) {
      throw refused(function, "no global route, which RoCE needs: set isGlobal, dgid, sgidIndex");
    }
    if (gid(function, address.sgidIndex()).isZero()) {
      throw refused(
          function,
          "source GID index "
              + address.sgidIndex()
              + " is empty; index 0 has the device's address "
              + gid
              + emptied());
    }
    if (ipOf(address.dgid()).isIpv4Mapped() != gid.isIpv4Mapped()) {
      throw refused(
          function,
          "destination GID " + address.dgid() + " cannot be reached from the device's " + gid);
    }
    checkRange(function, "hop limit", address.hopLimit(), MAX_OCTET);
    checkRange(function, "traffic class", address.trafficClass(), MAX_OCTET);
    checkRange(function, "service level", address.sl(), MAX_SL);
  }

  /**
   * How packets to this address, which was checked, travel. Of the flow label, as with adapters,
   * the low bits: UCX sets all 32.
   */
  public Route route(AhAttr peer) {
    Gid address = ipOf(peer.dgid());
    return new Route(
        address.subnetPrefix(),
        address.interfaceId(),
        peer.trafficClass(),
        peer.hopLimit(),
        peer.flowLabel() & FLOW_LABEL);
  }

  /** The IP address behind a GID, which for most is itself (S8.7). */
  public Gid ipOf(Gid destination) {
    long hi = destination.subnetPrefix();
    long lo = destination.interfaceId();
    boolean ipv4 = gid.isIpv4Mapped();
    return new Gid(MulticastGroup.addressHi(hi, lo, ipv4), MulticastGroup.addressLo(hi, lo, ipv4));
  }

  private static void checkRange(String function, String what, int value, int most) {
    if (value < 0 || value > most) {
      throw refused(function, what + " " + value + " is not in 0 to " + most);
    }
  }

  private static VerbsException refused(String function, String detail) {
    return new VerbsException(function, Errno.EINVAL, detail);
  }
}
