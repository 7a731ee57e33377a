package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests the values of end ports and their devices, and their caching. */
class EndPortTest {
  @Test
  @Proves("PY-181")
  void itTellsWhatIsKnownOfThePort() {
    EndPort port = Ports.infiniBand();
    assertThat(port.device().endPorts()).contains(port);
    assertThat(port.portId()).isEqualTo(2);
    assertThat(port).hasToString("hca0/2");
    assertThat(port.pkeys()).containsExactly(0xffff, 0x1234);
    assertThat(port.pkeys().indexOf(0x1234)).isEqualTo(1);
    assertThat(port.gids()).containsExactly(Ports.GID, Gid.ZERO, Ports.SECOND_GID);
    assertThat(port.gids().indexOf(Ports.SECOND_GID)).isEqualTo(2);
    assertThat(port.lid()).isEqualTo(0x80);
    assertThat(port.lmc()).isEqualTo(7);
    assertThat(port.physState()).isEqualTo(5);
    assertThat(port.state()).isEqualTo(PortState.ACTIVE);
    assertThat(port.smLid()).isEqualTo(1);
    assertThat(port.smSl()).isEqualTo(3);
    assertThat(port.portGuid()).isEqualTo(Guid.parse("0002:c903:0000:1491"));
    assertThat(port.rate()).isEqualTo(Rate.RATE_100);
    assertThat(port.capMask()).isEqualTo(PortCap.CM_SUP);
    assertThat(port.defaultGid()).isEqualTo(Ports.GID);
    assertThat(port.subnetTimeout()).isEqualTo(17);
    assertThat(port.linkLayer()).isEqualTo(LinkLayer.INFINIBAND);
    assertThat(port.mtu()).isEqualTo(Mtu.MTU_2048);
    assertThat(port.pkeyIndex(0x1234)).isEqualTo(1);
    assertThat(port.gidIndex(Ports.SECOND_GID)).isEqualTo(2);
    assertThatThrownBy(() -> port.gidIndex(Gid.ZERO)).hasMessageContaining("not in the table");
  }

  @Test
  @Proves("PY-181")
  void itKnowsTheWayToTheSubnetAdministrator() {
    EndPort port = Ports.infiniBand();
    assertThat(port.saPath())
        .isEqualTo(
            IbPath.builder(port).dlid(1).slid(0x80).sl(3).dqpn(1).sqpn(1).qkey(0x80010000).build());
    assertThat(port.saPath().packetLifeTime()).isEqualTo(17);
    assertThatThrownBy(() -> Ports.ethernet().saPath())
        .hasMessageStartingWith("saPath: no subnet manager has set up soft0/2 (ENETUNREACH");
  }

  @Test
  @Proves("PY-182")
  void whatItTellsIsKeptUntilAChangeIsTold() {
    AtomicInteger lid = new AtomicInteger(0x10);
    EndPort port = changing(lid);
    assertThat(port.lid()).isEqualTo(0x10);
    List<Consumer<EndPort>> changes =
        List.of(EndPort::lidChange, EndPort::smChange, EndPort::pkeyChange, EndPort::gidChange);
    for (Consumer<EndPort> change : changes) {
      int before = lid.getAndIncrement();
      assertThat(port.lid()).isEqualTo(before);
      change.accept(port);
      assertThat(port.lid()).isEqualTo(before + 1);
    }
  }

  @Test
  @Proves("PY-182")
  void whatAQueryTellsIsTakenOver() {
    EndPort port = changing(new AtomicInteger(0x10));
    assertThat(port.lid()).isEqualTo(0x10);
    assertThat(port.query(number -> portWithLid(0x20)).lid()).isEqualTo(0x20);
    assertThat(port.lid()).isEqualTo(0x20);
    assertThat(port.pkeys()).containsExactly(0xffff, 0x1234);
  }

  /** A value queried before a change is not valid after it. */
  @Test
  @Proves("PY-182")
  void aQueryThatAChangeOvertakesIsNotTakenOver() {
    AtomicInteger lid = new AtomicInteger(0x10);
    EndPort port = changing(lid);
    assertThat(port.lid()).isEqualTo(0x10);
    PortAttr late =
        port.query(
            number -> {
              PortAttr told = portWithLid(0x10);
              lid.set(0x30);
              port.lidChange();
              assertThat(port.lid()).isEqualTo(0x30);
              return told;
            });
    assertThat(late.lid()).isEqualTo(0x10);
    assertThat(port.lid()).isEqualTo(0x30);
  }

  private static PortAttr portWithLid(int lid) {
    return new PortAttr(
        PortState.ACTIVE,
        Mtu.MTU_4096,
        Mtu.MTU_2048,
        /* gidTblLen= */ 3,
        /* portCapFlags= */ 0,
        /* maxMsgSz= */ 1,
        /* badPkeyCntr= */ 0,
        /* qkeyViolCntr= */ 0,
        /* pkeyTblLen= */ 2,
        lid,
        /* smLid= */ 1,
        /* lmc= */ 0,
        /* maxVlNum= */ 1,
        /* smSl= */ 0,
        /* subnetTimeout= */ 17,
        /* initTypeReply= */ 0,
        /* activeWidth= */ 2,
        /* activeSpeed= */ 32,
        /* physState= */ 5,
        LinkLayer.INFINIBAND,
        /* flags= */ 0,
        /* portCapFlags2= */ 0);
  }

  @Test
  void ofAGidThatIsThereTwiceTheEntryOfRoceV2IsMeant() {
    Gid gid = Gid.parse("10.77.0.1");
    EndPort port =
        withTables(
            List.of(gid, gid, Ports.GID),
            List.of(GidType.ROCE_V1, GidType.ROCE_V2, GidType.ROCE_V1),
            List.of(0xffff));
    assertThat(port.gidTypes()).containsExactly(GidType.ROCE_V1, GidType.ROCE_V2, GidType.ROCE_V1);
    assertThat(port.gidIndex(gid)).isEqualTo(1);
    assertThat(port.gidIndex(Ports.GID)).isEqualTo(2);
    assertThatThrownBy(() -> withTables(List.of(gid), List.of(), List.of()))
        .hasMessageContaining("1 GIDs have 0 kinds");
  }

  @Test
  @Proves("PY-018")
  void anEmptyEntryIsNoPartition() {
    EndPort port = withTables(List.of(), List.of(), List.of(0xffff, 0, 0x8000));
    for (int none : new int[] {0, 0x8000}) {
      assertThatThrownBy(() -> port.pkeyIndex(none))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT))
          .hasMessageContaining(String.format("P_Key 0x%04x is not in the table", none));
    }
  }

  private static EndPort withTables(List<Gid> gids, List<GidType> gidTypes, List<Integer> pkeys) {
    return Ports.of(
        "hca0",
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
            gids,
            gidTypes,
            pkeys));
  }

  @Test
  @Proves("PY-182")
  void aFailedReadIsTriedAgain() {
    AtomicInteger lid = new AtomicInteger(-1);
    EndPort port = changing(lid);
    assertThatThrownBy(port::lid).hasMessageContaining("gone");
    lid.set(3);
    assertThat(port.lid()).isEqualTo(3);
  }

  private static EndPort changing(AtomicInteger lid) {
    NodeSource source =
        new NodeSource() {
          @Override
          public NodeSnapshot node() {
            return Ports.infiniBand().device().source().node();
          }

          @Override
          public PortSnapshot port(int portNum) {
            if (lid.get() < 0) {
              throw new VerbsException("queryPort", Errno.ENODEV, "gone");
            }
            return Ports.infiniBand(lid.get(), 0).snapshot();
          }
        };
    return new RdmaDevice("hca0", source).endPort(1);
  }

  @Test
  @Proves("PY-183")
  void aDeviceTellsWhatIsKnownOfTheNode() {
    RdmaDevice device = Ports.infiniBand().device();
    assertThat(device.name()).isEqualTo("hca0");
    assertThat(device.nodeType()).isEqualTo(NodeType.CA);
    assertThat(device.nodeGuid()).isEqualTo(new Guid(1));
    assertThat(device.sysImageGuid()).isEqualTo(new Guid(2));
    assertThat(device.nodeDesc()).isEqualTo("hca0");
    assertThat(device.fwVer()).isEqualTo("1.0");
    assertThat(device.hwVer()).isEqualTo("3");
    assertThat(device.boardId()).isEqualTo("BOARD");
    assertThat(device.hcaType()).isEqualTo("HCA");
    assertThat(device.physPortCount()).isEqualTo(2);
    assertThat(device.endPorts()).hasSize(2).element(0).isSameAs(device.endPort(1));
    assertThatThrownBy(() -> device.endPort(3))
        .hasMessageStartingWith("getEndPort: port 3 of hca0, which has ports 1 to 2 (EINVAL");
    assertThatThrownBy(() -> Rdma.getVerbs(device))
        .hasMessageContaining("no verbs provider has the device hca0");
  }

  /** These tests have no provider. */
  @Test
  @Proves("PY-002")
  void withoutADeviceThereIsNoEndPort() {
    for (ThrowingCallable call : List.<ThrowingCallable>of(Rdma::getDevice, Rdma::getEndPort)) {
      assertThatThrownBy(call)
          .isInstanceOf(RdmaException.class)
          .hasMessageContaining("No RDMA devices found.");
    }
  }

  @Test
  void theRateOfAPortIsThatOfItsLanes() {
    assertThat(Rate.ofSpeed(25)).isEqualTo(Rate.RATE_2_5);
    assertThat(Rate.ofSpeed(1000)).isEqualTo(Rate.RATE_100);
    assertThat(Rate.ofSpeed(1120)).isEqualTo(Rate.RATE_112);
    assertThat(Rate.ofSpeed(1119)).isEqualTo(Rate.RATE_100);
    assertThat(Rate.ofSpeed(999_999)).isEqualTo(Rate.RATE_1200);
    assertThat(Rate.ofSpeed(0)).isEqualTo(Rate.MAX);
  }
}
