package dev.verbena.soft.device.open;

import dev.verbena.soft.device.spec.Limits;
import dev.verbena.soft.device.spec.SoftSubnet;
import dev.verbena.soft.device.spec.SubnetNode;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Iba;
import dev.verbena.wire.LocalRoute;
import org.jspecify.annotations.Nullable;

/**
 * A port on the InfiniBand subnet of this process. Links know it by its GID. The port with a LID is
 * looked up when an address handle is made, or a queue pair connected.
 */
final class IbPort extends SoftPort {
  private final SubnetNode node;

  IbPort(SubnetNode node, Link link, Tally tally) {
    super(PortKind.INFINIBAND, node.spec().gid(), link, tally);
    this.node = node;
  }

  @Override
  int capFlags() {
    return node.capFlags();
  }

  @Override
  public int lid() {
    return node.lid();
  }

  @Override
  int smLid() {
    return node.subnet().smLid();
  }

  @Override
  int lmc() {
    return node.spec().lmc();
  }

  @Override
  int smSl() {
    return node.subnet().smSl();
  }

  @Override
  int subnetTimeout() {
    return node.subnet().subnetTimeout();
  }

  @Override
  int interfaceIndex() {
    return 0;
  }

  @Override
  public int pkeyCount() {
    return Limits.IB_PKEYS;
  }

  @Override
  int pkeyAt(int index) {
    return node.pkey(index);
  }

  @Override
  void checkDestination(String function, AhAttr address) {
    int dlid = address.dlid();
    boolean multicast = SoftSubnet.isMulticast(dlid);
    if (dlid <= 0 || dlid > Iba.LID_MULTICAST_LAST) {
      throw refused(
          function,
          "dlid 0x" + Integer.toHexString(dlid) + ": InfiniBand needs the LID of the destination");
    }
    if (multicast && !address.isGlobal()) {
      throw refused(
          function,
          "dlid 0x" + Integer.toHexString(dlid) + " is a group's, which needs a global route");
    }
    if (address.isGlobal() && address.dgid().isMulticast() != multicast) {
      throw refused(
          function,
          "destination GID "
              + address.dgid()
              + " and dlid 0x"
              + Integer.toHexString(dlid)
              + ": either both are of a multicast group or none");
    }
    int pathBits = address.srcPathBits();
    if (pathBits < 0 || pathBits >>> lmc() != 0) {
      throw refused(
          function,
          "source path bits "
              + pathBits
              + ", with lmc="
              + lmc()
              + " they are 0 to "
              + ((1 << lmc()) - 1));
    }
  }

  @Override
  public Route route(AhAttr peer) {
    int dlid = peer.dlid();
    Gid to = peer.dgid();
    int pathBits = 0;
    if (!SoftSubnet.isMulticast(dlid)) {
      SubnetNode there = reached(peer);
      to = there == null ? nobody() : there.spec().gid();
      pathBits = there == null ? 0 : dlid - there.lid();
    }
    return new Route(
        Gids.address(to),
        peer.trafficClass(),
        peer.hopLimit(),
        peer.flowLabel() & FLOW_LABEL,
        new LocalRoute(lid() | peer.srcPathBits(), dlid, pathBits, peer.sl(), peer.isGlobal()));
  }

  /**
   * The node whose port has the LID, and the GID if there is a global route; null if there is none.
   */
  private @Nullable SubnetNode reached(AhAttr peer) {
    SubnetNode there = node.subnet().find(peer.dlid());
    return there == null || !peer.isGlobal() || peer.dgid().equals(there.spec().gid())
        ? there
        : null;
  }

  /** An address that no port has: datagrams to it are lost, like those to an unused LID. */
  private Gid nobody() {
    return new Gid(address().subnetPrefix(), 0);
  }

  @Override
  public Gid group(String function, Gid group, int lid) {
    SoftSubnet.checkMlid(function, lid);
    return group;
  }
}
