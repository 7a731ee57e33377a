package dev.verbena.soft.device.open;

import dev.verbena.soft.device.spec.Limits;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.PortAttr;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.Unsupported;
import java.util.List;

/** The one port of a device: its state, its GID table and its P_Key table (S11.4-S11.7). */
public abstract sealed class SoftPort permits RocePort, IbPort {
  /** Its number. */
  static final int NUMBER = 1;

  /** The most bytes of a datagram besides its payload: the part within UDP of rxe's 80 bytes. */
  private static final int HEADERS = 52;

  /** The bits of a flow label. */
  static final int FLOW_LABEL = 0xf_ffff;

  private static final int DISABLED = 3;
  private static final int ONE_LANE = 1;
  private static final int MAX_VIOLATIONS = 0xffff;
  private static final int MAX_OCTET = 0xff;

  private final PortKind kind;
  private final Gid gid;
  private final Link link;
  private final Tally tally;
  private final Mtu activeMtu;
  private volatile boolean hasAddress = true;

  SoftPort(PortKind kind, Gid gid, Link link, Tally tally) {
    this.kind = kind;
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
  public final Gid address() {
    return gid;
  }

  /** Largest currently usable path MTU. */
  public final Mtu activeMtu() {
    return activeMtu;
  }

  /** State and limits. */
  public final PortAttr query() {
    boolean up = link.state().isUp();
    return new PortAttr(
        /* state= */ up ? PortState.ACTIVE : PortState.DOWN,
        /* maxMtu= */ Limits.MAX_MTU,
        /* activeMtu= */ activeMtu,
        /* gidTblLen= */ Limits.GIDS,
        /* portCapFlags= */ capFlags(),
        /* maxMsgSz= */ Limits.MAX_MESSAGE,
        /* badPkeyCntr= */ violations(Counter.DROPPED_PKEY),
        /* qkeyViolCntr= */ violations(Counter.DROPPED_QKEY),
        /* pkeyTblLen= */ pkeyCount(),
        /* lid= */ lid(),
        /* smLid= */ smLid(),
        /* lmc= */ lmc(),
        /* maxVlNum= */ ONE_LANE,
        /* smSl= */ smSl(),
        /* subnetTimeout= */ subnetTimeout(),
        /* initTypeReply= */ 0,
        /* activeWidth= */ kind.width(),
        /* activeSpeed= */ kind.speed(),
        /* physState= */ up ? Iba.LINK_UP : DISABLED,
        /* linkLayer= */ kind.linkLayer(),
        /* flags= */ kind.linkLayer() == LinkLayer.ETHERNET ? PortAttr.GRH_REQUIRED : 0,
        /* portCapFlags2= */ 0);
  }

  /** The attributes that it shares with others of its link layer. */
  final PortKind kind() {
    return kind;
  }

  abstract int capFlags();

  /** The lowest LID; 0 on Ethernet. */
  public abstract int lid();

  abstract int smLid();

  abstract int lmc();

  abstract int smSl();

  abstract int subnetTimeout();

  /** Index of the network interface with the GID; 0 if there is none. */
  abstract int interfaceIndex();

  /** Entries of the P_Key table. */
  public abstract int pkeyCount();

  /** The P_Key at an existing index; 0 if the entry is empty. */
  abstract int pkeyAt(int index);

  /** Refuses an unusable address of a peer; its global route has been checked. */
  abstract void checkDestination(String function, AhAttr address);

  /** The route of packets to this address, which has been checked. */
  public abstract Route route(AhAttr peer);

  /**
   * The address by which the device knows a multicast group.
   *
   * @param lid the group's; ignored on Ethernet
   * @throws VerbsException EINVAL if it cannot be reached from here
   */
  public abstract Gid group(String function, Gid group, int lid);

  /**
   * Refuses calls that need Ethernet frames.
   *
   * @throws VerbsException EOPNOTSUPP on InfiniBand
   */
  public final void requireEthernet(String function) {
    if (kind.linkLayer() != LinkLayer.ETHERNET) {
      throw Unsupported.verb(
          function, "RAW_PACKET needs Ethernet, and link_layer is " + kind.linkLayer());
    }
  }

  private int violations(Counter counter) {
    return (int) Math.min(MAX_VIOLATIONS, tally.get(counter));
  }

  /** Refuses the number of a nonexistent port. */
  public static void checkNumber(String function, int portNum) {
    if (portNum < 1 || portNum > Limits.PORTS) {
      throw refused(function, "port " + portNum + ", this device has ports 1 to " + Limits.PORTS);
    }
  }

  /** The address was removed from its interface, or came back. */
  final void hasAddress(boolean has) {
    hasAddress = has;
  }

  /** Whether its interface has the address. */
  final boolean hasAddress() {
    return hasAddress;
  }

  /** The GID at an index; zero if the entry is empty. */
  public final Gid gid(String function, int index) {
    if (index < 0 || index >= Limits.GIDS) {
      throw refused(
          function, "GID index " + index + ", the table has " + Limits.GIDS + " entries from 0");
    }
    return index == 0 && hasAddress ? gid : Gid.ZERO;
  }

  /** The entries that are not empty. */
  public final List<GidEntry> gidEntries(String function) {
    return hasAddress ? List.of(gidEntry(function, 0)) : List.of();
  }

  /** The entry at an index. */
  public final GidEntry gidEntry(String function, int index) {
    if (gid(function, index).isZero()) {
      throw new VerbsException(
          function,
          Errno.ENODATA,
          "GID index " + index + " is empty; index 0 has the device's address " + gid + emptied());
    }
    return new GidEntry(gid, index, NUMBER, kind.gidType(), interfaceIndex());
  }

  private String emptied() {
    return hasAddress ? "" : ", which this computer no longer has";
  }

  /** The P_Key at an index; 0 if the entry is empty. */
  public final int pkey(String function, int index) {
    int count = pkeyCount();
    if (index < 0 || index >= count) {
      throw refused(
          function,
          "P_Key index "
              + index
              + ", the table has "
              + count
              + (count == 1 ? " entry" : " entries"));
    }
    return pkeyAt(index);
  }

  /**
   * Refuses an unusable address of a peer (S4.4, S11.7).
   *
   * @throws VerbsException EINVAL
   */
  public final void checkAddress(String function, AhAttr address) {
    checkNumber(function, address.portNum());
    if (address.isGlobal()) {
      checkGlobalRoute(function, address);
    }
    checkDestination(function, address);
    checkRange(function, "service level", address.sl(), Limits.MAX_SL);
  }

  private void checkGlobalRoute(String function, AhAttr address) {
    if (gid(function, address.sgidIndex()).isZero()) {
      throw refused(
          function,
          "source GID index "
              + address.sgidIndex()
              + " is empty; index 0 has the device's address "
              + gid
              + emptied());
    }
    checkRange(function, "hop limit", address.hopLimit(), MAX_OCTET);
    checkRange(function, "traffic class", address.trafficClass(), MAX_OCTET);
  }

  static void checkRange(String function, String what, int value, int most) {
    if (value < 0 || value > most) {
      throw refused(function, what + " " + value + " is not in 0 to " + most);
    }
  }

  static VerbsException refused(String function, String detail) {
    return new VerbsException(function, Errno.EINVAL, detail);
  }
}
