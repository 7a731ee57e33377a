package dev.verbena.verbs;

import java.util.List;

/** End ports without a device, with values of a test's choice. */
final class Ports {
  static final Gid GID = Gid.parse("fe80::2:c903:0:1491");
  static final Gid SECOND_GID = Gid.parse("fe80::2:c903:0:1492");

  /** LID 0x80, LMC 7; P_Keys 0xffff and, as limited member, 0x1234. */
  static EndPort infiniBand() {
    return infiniBand(0x80, 7);
  }

  static EndPort infiniBand(int lid, int lmc) {
    return of(
        "hca0",
        new PortSnapshot(
            PortState.ACTIVE,
            5,
            LinkLayer.INFINIBAND,
            lid,
            lmc,
            /* smLid= */ 1,
            /* smSl= */ 3,
            PortCap.CM_SUP,
            /* subnetTimeout= */ 17,
            Mtu.MTU_2048,
            Rate.RATE_100,
            List.of(GID, Gid.ZERO, SECOND_GID),
            List.of(GidType.IB, GidType.IB, GidType.IB),
            List.of(0xffff, 0x1234)));
  }

  /** 10.77.0.1, on a subnet without a manager. */
  static EndPort ethernet() {
    return of(
        "soft0",
        new PortSnapshot(
            PortState.ACTIVE,
            5,
            LinkLayer.ETHERNET,
            0,
            0,
            0,
            0,
            0,
            0,
            Mtu.MTU_1024,
            Rate.RATE_10,
            List.of(Gid.parse("10.77.0.1")),
            List.of(GidType.ROCE_V2),
            List.of(0xffff)));
  }

  /** The second of two equal ports. */
  static EndPort of(String device, PortSnapshot port) {
    NodeSnapshot node =
        new NodeSnapshot(NodeType.CA, new Guid(1), new Guid(2), "", "1.0", "3", "BOARD", "HCA", 2);
    return new RdmaDevice(
            device,
            new NodeSource() {
              @Override
              public NodeSnapshot node() {
                return node;
              }

              @Override
              public PortSnapshot port(int portNum) {
                return port;
              }
            })
        .endPort(2);
  }

  private Ports() {}
}
