package dev.verbena.tck.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.WcStatus;
import java.util.Arrays;
import java.util.EnumSet;

/** Connected queue pairs on an InfiniBand subnet that name their peers by LID. */
final class ConnectionByLidTest {

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void queuePairsConnectByLidWithoutAGlobalRoute(TckLink link) {
    for (QpType type : EnumSet.of(QpType.RC, QpType.UC)) {
      try (Nodes nodes = Nodes.on(link, type)) {
        QpEnd left = nodes.open(0, "lmc=1");
        QpEnd right = nodes.open(0);
        connect(nodes, left, right, Nodes.lid(Nodes.lidOf(right)).withSrcPathBits(1));
        connect(nodes, right, left, Nodes.lid(Nodes.lidOf(left) + 1));
        left.fill(0, 3000, 5);
        do {
          left.qp().postSend(SendWrs.write(1, right, 0, left.sge(0, 3000)));
          left.sent(1);
        } while (type == QpType.UC && link.isFaulty() && !arrived(left, right));
        assertThat(arrived(left, right)).isTrue();
        assertThat(left.qp().query().ahAttr().isGlobal()).isFalse();
      }
    }
  }

  private static boolean arrived(QpEnd left, QpEnd right) {
    return Arrays.equals(right.bytes(0, 3000), left.bytes(0, 3000));
  }

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void connectTakesTheLidFromTheEndpoint(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.RC)) {
      QpEnd left = nodes.open(0);
      QpEnd right = nodes.open(0);
      assertThat(right.qp().endpoint().lid()).isEqualTo(Nodes.lidOf(right)).isPositive();
      left.qp().connect(right.qp().endpoint());
      right.qp().connect(left.qp().endpoint(), PairSetup.REMOTE_ALL);
      left.qp().postSend(SendWrs.write(1, right, 0, left.sge(0, 100)));
      left.sent(1);
    }
  }

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void aConnectionToAnUnusedLidTimesOut(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.RC)) {
      QpEnd left = nodes.open(0);
      QpEnd right = nodes.open(0);
      connect(nodes, left, right, Nodes.lid(0xbffe));
      connect(nodes, right, left, Nodes.lid(Nodes.lidOf(left)));
      left.qp().postSend(SendWrs.write(1, right, 0, left.sge(0, 100)));
      left.awaitSend(1, WcStatus.RETRY_EXC_ERR);
    }
  }

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void aResponderTakesNothingFromAnotherPort(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.RC)) {
      QpEnd left = nodes.open(0);
      QpEnd right = nodes.open(0);
      QpEnd third = nodes.open(0);
      connect(nodes, left, right, Nodes.lid(Nodes.lidOf(right)));
      connect(nodes, right, left, Nodes.lid(Nodes.lidOf(third)));
      left.qp().postSend(SendWrs.write(1, right, 0, left.sge(0, 100)));
      left.awaitSend(1, WcStatus.RETRY_EXC_ERR);
    }
  }

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void aGroupIsNoPeer(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.RC)) {
      QpEnd end = nodes.open(0);
      nodes.setup().toInit(end.qp());
      AhAttr group = AhAttr.to(Gid.parse("ff12::1")).withDlid(0xc001);
      Refused.of(
              () -> end.qp().modify(nodes.setup().rtrAttr(end.qp().endpoint()).ahAttr(group)),
              Errno.EINVAL)
          .from("modifyQp")
          .naming("ff12::1");
    }
  }

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void devicesOfEthernetDoNotReachTheSubnet(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.RC);
        Context ethernet =
            Devices.open("soft:fd00:1b::" + Addresses.next() + "?link=" + LinkKind.PACKET.key())) {
      QpEnd inside = nodes.open(0);
      QpEnd outside = nodes.setup().end(ethernet, ethernet.allocPd());
      connect(nodes, outside, inside, AhAttr.to(inside.gid()));
      connect(nodes, inside, outside, Nodes.lid(0xbffe));
      outside.qp().postSend(SendWrs.write(1, inside, 0, outside.sge(0, 100)));
      outside.awaitSend(1, WcStatus.RETRY_EXC_ERR);
    }
  }

  private static void connect(Nodes nodes, QpEnd end, QpEnd peer, AhAttr address) {
    nodes.setup().toInit(end.qp());
    end.qp().modify(nodes.setup().rtrAttr(peer.qp().endpoint()).ahAttr(address));
    nodes.setup().toRts(end.qp());
  }
}
