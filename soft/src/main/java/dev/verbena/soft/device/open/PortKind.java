package dev.verbena.soft.device.open;

import dev.verbena.verbs.GidType;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.wire.Grh;
import dev.verbena.wire.IpUdpHeader;

/** The common attributes of the ports of a link layer. Width and speed are libibverbs' codes. */
enum PortKind {
  /** One lane of 2.5 Gbit/s, as rxe says. */
  ROCE(LinkLayer.ETHERNET, GidType.ROCE_V2, IpUdpHeader.PROTOCOL_UDP, 1, 1),

  /** Four lanes of 10 Gbit/s each, as {@code SubnetNode.describe} says. */
  INFINIBAND(LinkLayer.INFINIBAND, GidType.IB, Grh.NEXT_HEADER_IBA, 2, 4);

  private final LinkLayer linkLayer;
  private final GidType gidType;
  private final int nextHeader;
  private final int width;
  private final int speed;

  PortKind(LinkLayer linkLayer, GidType gidType, int nextHeader, int width, int speed) {
    this.linkLayer = linkLayer;
    this.gidType = gidType;
    this.nextHeader = nextHeader;
    this.width = width;
    this.speed = speed;
  }

  LinkLayer linkLayer() {
    return linkLayer;
  }

  GidType gidType() {
    return gidType;
  }

  /** The next header in a GRH: UDP, or an InfiniBand packet. */
  int nextHeader() {
    return nextHeader;
  }

  /** The code of active_width. */
  int width() {
    return width;
  }

  /** The code of active_speed. */
  int speed() {
    return speed;
  }
}
