package dev.verbena.soft.device.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.soft.engine.qp.Multicast;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.spi.SubnetPort;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The tables of a subnet, and the notifications of their changes. */
class SoftSubnetTest {
  private final SoftSubnet subnet = new SoftSubnet();
  private final List<EventType> events = new ArrayList<>();
  private int names;

  private SubnetNode enter(int lmc) {
    String text = "ib:node-" + names++ + "?lmc=" + lmc;
    return subnet.enter(NodeSpec.parse(DeviceSpec.parse(text)), events::add);
  }

  @Test
  void lidsAreGivenInTheOrderOfJoiningAndBeginAtAMultipleOfTheirNumber() {
    assertThat(enter(0).lid()).isEqualTo(2);
    assertThat(enter(3).lid()).isEqualTo(8);
    assertThat(enter(0).lid()).isEqualTo(16);
    assertThat(enter(1).lid()).isEqualTo(18);
    assertThat(enter(0).lid()).isEqualTo(20);
  }

  @Test
  void aLidRestsUntilAllOthersWereGiven() {
    SubnetNode first = enter(0);
    subnet.leave(first);
    assertThat(subnet.find(first.lid())).isNull();
    for (int lid = 3; lid < 0xc000; lid++) {
      SubnetNode next = enter(0);
      assertThat(next.lid()).isEqualTo(lid);
      subnet.leave(next);
    }
    assertThat(enter(0).lid()).isEqualTo(2);
  }

  @Test
  void aNodeThatComesBackHasItsLidUnlessThatWasGivenAway() {
    SubnetNode node = enter(0);
    subnet.leave(node);
    SubnetNode other = enter(0);
    SubnetNode again = subnet.enter(node.spec(), events::add);
    assertThat(again.lid()).isEqualTo(node.lid());
    subnet.leave(again);
    subnet.assignLid(other.spec().portGuid(), node.lid());
    assertThat(subnet.enter(node.spec(), events::add).lid()).isEqualTo(4);
  }

  @Test
  void aNodeThatComesBackWithMorePathBitsGetsALidThatFits() {
    NodeSpec plain = NodeSpec.parse(DeviceSpec.ib("back"));
    enter(0);
    SubnetNode node = subnet.enter(plain, events::add);
    subnet.leave(node);
    NodeSpec wide = NodeSpec.parse(DeviceSpec.parse("ib:back?lmc=2"));
    assertThat(node.lid()).isEqualTo(3);
    assertThat(subnet.enter(wide, events::add).lid()).isEqualTo(4);
  }

  @Test
  void withoutAFreeLidNobodyJoins() {
    enter(0);
    for (int lid = 128; lid < 0xc000; lid += 128) {
      enter(7);
    }
    refused(() -> enter(7), Errno.ENOMEM, "128 consecutive LIDs");
    assertThat(enter(6).lid()).isEqualTo(64);
  }

  @Test
  void aManagerHasTheFirstLidAndIsTheFirstPort() {
    assertThat(subnet.smLid()).isZero();
    refused(() -> subnet.assignManager(5, 0), Errno.ENODEV, "ManagementAgent");
    SubnetNode manager = subnet.enter(NodeSpec.MANAGER, events::add);
    enter(0);
    assertThat(subnet.smLid()).isEqualTo(1);
    assertThat(subnet.ports()).extracting(SubnetPort::lid).containsExactly(1, 2);
    subnet.leave(manager);
    assertThat(subnet.smLid()).isZero();
  }

  @Test
  void whenTheManagerMovesAllPortsAreTold() {
    subnet.enter(NodeSpec.MANAGER, events::add);
    enter(0);
    subnet.assignManager(7, 3);
    assertThat(subnet.smLid()).isEqualTo(7);
    assertThat(subnet.smSl()).isEqualTo(3);
    assertThat(events).containsExactly(EventType.SM_CHANGE, EventType.SM_CHANGE);
    refused(() -> subnet.assignManager(2, 3), Errno.EINVAL, "another port");
    refused(() -> subnet.assignManager(9, 16), Errno.EINVAL, "service level 16");
    assertThat(subnet.smLid()).isEqualTo(7);
  }

  @Test
  void allPortsAreAskedToRegisterAgain() {
    enter(0);
    enter(0);
    subnet.reregisterClients();
    assertThat(events).containsExactly(EventType.CLIENT_REREGISTER, EventType.CLIENT_REREGISTER);
  }

  @Test
  void whoLeavesIsToldOf() {
    List<Long> left = new ArrayList<>();
    subnet.whenPortLeaves(left::add);
    SubnetNode node = enter(0);
    subnet.leave(node);
    assertThat(left).containsExactly(node.spec().portGuid());
  }

  @Test
  void aPortIsInSoManyGroupsAndNoMore() {
    SubnetNode node = enter(0);
    long guid = node.spec().portGuid();
    for (int i = 0; i < Multicast.MAX_GROUPS; i++) {
      subnet.join(guid, new Gid(0xff12L << 48, i), 0xc000);
    }
    subnet.join(guid, new Gid(0xff12L << 48, 0), 0xc001);
    assertThat(node.mlid(new Gid(0xff12L << 48, 0))).isEqualTo(0xc001);
    refused(
        () -> subnet.join(guid, new Gid(0xff12L << 48, -1), 0xc000), Errno.ENOMEM, "max_mcast_grp");
    subnet.leave(guid, new Gid(0xff12L << 48, 5));
    subnet.join(guid, new Gid(0xff12L << 48, -1), 0xc000);
  }

  @Test
  void guidsFollowFromTheName() {
    NodeSpec a = NodeSpec.parse(DeviceSpec.ib("a"));
    NodeSpec b = NodeSpec.parse(DeviceSpec.ib("b"));
    assertThat(a.nodeGuid()).isEqualTo(NodeSpec.parse(DeviceSpec.parse("ib_a?lmc=1")).nodeGuid());
    assertThat(a.nodeGuid()).isNotEqualTo(b.nodeGuid());
    assertThat(a.portGuid()).isNotEqualTo(a.nodeGuid());
    assertThat(a.nodeGuid() >>> 56 & 3).as("local, of one node").isEqualTo(2);
  }

  private static void refused(ThrowingCallable call, int errno, String part) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
        .hasMessageContaining(part);
  }
}
