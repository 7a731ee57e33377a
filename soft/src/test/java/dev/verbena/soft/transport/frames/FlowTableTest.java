package dev.verbena.soft.transport.frames;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.FlowAttrType;
import dev.verbena.verbs.FlowFlags;
import dev.verbena.verbs.FlowIpv4Filter;
import dev.verbena.verbs.FlowIpv6Filter;
import dev.verbena.verbs.FlowSpecActionDrop;
import dev.verbena.verbs.FlowSpecActionTag;
import dev.verbena.verbs.FlowSpecEth;
import dev.verbena.verbs.FlowSpecIpv4;
import dev.verbena.verbs.FlowSpecIpv6;
import dev.verbena.verbs.FlowSpecTcpUdp;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MacAddress;
import dev.verbena.wire.EthernetFrame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FlowTableTest {
  private static final long STATION = 0x0200_0000_0001L;

  private final FlowTable<String> table = new FlowTable<>(STATION);
  private final EthernetFrame frame = new EthernetFrame();

  @Test
  void rulesAreAskedByPriorityAndThenByAge() {
    FlowRule<String> late = add(FlowAttr.normal(new FlowSpecEth()).priority(2), "late");
    add(FlowAttr.normal(new FlowSpecEth()).priority(1).flags(FlowFlags.DONT_TRAP), "first");
    add(FlowAttr.normal(new FlowSpecEth()).priority(2), "never");
    add(new FlowAttr(FlowAttrType.ALL_DEFAULT), "default");
    assertThat(received(STATION)).containsExactly("first", "late");
    table.remove(late);
    assertThat(received(STATION)).containsExactly("first", "never");
    assertThat(received(0x0200_0000_0002L)).containsExactly("default");
  }

  @Test
  void onlyRulesThatMayHearOthersAskForThem() {
    assertThat(table.isEmpty()).isTrue();
    FlowSpecEth eth = new FlowSpecEth();
    add(FlowAttr.normal(eth.etherType(0x0800)), "type");
    add(FlowAttr.normal(eth.dstMac(new MacAddress(STATION))), "own");
    add(FlowAttr.normal(eth.dstMac(MacAddress.BROADCAST)), "all");
    add(new FlowAttr(FlowAttrType.MC_DEFAULT), "groups");
    assertThat(table.overhears()).isFalse();
    FlowRule<String> other = add(FlowAttr.normal(eth.dstMac(new MacAddress(7))), "other");
    assertThat(table.overhears()).isTrue();
    table.remove(other);
    assertThat(table.overhears()).isFalse();
    add(new FlowAttr(FlowAttrType.SNIFFER), "sniffer");
    assertThat(table.overhears()).isTrue();
    assertThat(table.isEmpty()).isFalse();
  }

  @Test
  @Proves("S9.3")
  void aSnifferSeesWhatIsSentAndReceivedAndNothingTwice() {
    FlowRule<String> sniffer = add(new FlowAttr(FlowAttrType.SNIFFER), "sniffer");
    add(FlowAttr.normal(new FlowSpecEth(), new FlowSpecActionDrop()), "dropped");
    add(FlowAttr.normal(new FlowSpecEth()).priority(1), "behind");
    assertThat(received(STATION)).containsExactly("sniffer");
    List<String> targets = new ArrayList<>();
    table.sent(rule -> targets.add(rule.target()));
    assertThat(targets).containsExactly("sniffer");
    table.remove(sniffer);
    add(FlowAttr.normal(new FlowSpecEth().srcMac(new MacAddress(9))), "another");
    targets.clear();
    table.sent(rule -> targets.add(rule.target()));
    assertThat(targets).isEmpty();
    assertThat(received(STATION)).isEmpty();
  }

  @Test
  @Proves("S9.3")
  void theDefaultOfGroupsTakesGroupsAndNothingElse() {
    add(new FlowAttr(FlowAttrType.ALL_DEFAULT), "all");
    add(new FlowAttr(FlowAttrType.MC_DEFAULT), "groups");
    assertThat(received(0x0100_5e00_0001L)).containsExactly("groups");
    assertThat(received(0xFFFF_FFFF_FFFFL)).containsExactly("groups");
    assertThat(received(STATION)).containsExactly("all");
    assertThat(received(0x0200_0000_0009L)).containsExactly("all");
  }

  @Test
  @Proves("S9.3")
  void whatComesBackToItsSenderIsNotSniffedAgain() {
    add(new FlowAttr(FlowAttrType.SNIFFER), "sniffer");
    add(FlowAttr.normal(new FlowSpecEth()), "own");
    assertThat(received(STATION)).containsExactly("sniffer", "own");
    List<String> targets = new ArrayList<>();
    table.returned(frame, rule -> targets.add(rule.target()));
    assertThat(targets).containsExactly("own");
  }

  @Test
  void theTagOfARuleIsKnown() {
    FlowRule<String> rule = add(FlowAttr.normal(new FlowSpecEth(), new FlowSpecActionTag(9)), "a");
    assertThat(rule.tag()).isEqualTo(9);
    assertThat(rule.target()).isEqualTo("a");
  }

  @Test
  @Proves("S9.3")
  void aConditionOnTheTagFitsOnlyAFrameThatHasOne() {
    add(FlowAttr.normal(new FlowSpecEth().vlan(0)), "vlan 0");
    add(FlowAttr.normal(new FlowSpecEth().vlan(7)), "vlan 7");
    add(FlowAttr.normal(new FlowSpecEth()).priority(1), "any");
    assertThat(received(STATION)).containsExactly("any");
    assertThat(receivedTagged(0)).containsExactly("vlan 0");
    assertThat(receivedTagged(7)).containsExactly("vlan 7");
    assertThat(receivedTagged(8)).containsExactly("any");
  }

  @Test
  void noFrameMakesARuleThrow() {
    FlowIpv4Filter all4 = new FlowIpv4Filter(-1, -1, 255, 255, 255, 7);
    FlowIpv6Filter all6 = new FlowIpv6Filter(new Gid(-1, -1), new Gid(-1, -1), -1, 255, 255, 255);
    add(FlowAttr.normal(new FlowSpecEth().vlan(3)), "vlan");
    add(FlowAttr.normal(new FlowSpecIpv4(FlowIpv4Filter.ZERO, all4)), "ipv4");
    add(FlowAttr.normal(new FlowSpecIpv6(FlowIpv6Filter.ZERO, all6)), "ipv6");
    add(FlowAttr.normal(FlowSpecTcpUdp.tcp().srcPort(1)), "tcp");
    add(FlowAttr.normal(FlowSpecTcpUdp.udp().srcPort(1)), "udp");
    SplittableRandom random = new SplittableRandom(5);
    int[] types = {0x0800, 0x86dd, 0x8100};
    for (int round = 0; round < 50_000; round++) {
      byte[] bytes = new byte[random.nextInt(14, 80)];
      random.nextBytes(bytes);
      int type = types[random.nextInt(types.length)];
      bytes[0] = 1;
      bytes[12] = (byte) (type >> 8);
      bytes[13] = (byte) type;
      if (bytes.length > 23) {
        bytes[14] = (byte) (type == 0x0800 ? 0x45 : 0x60);
        bytes[23] = (byte) (random.nextBoolean() ? 6 : 17);
      }
      assertThat(frame.parse(MemorySegment.ofArray(bytes), 0, bytes.length)).isTrue();
      table.received(frame, rule -> {});
    }
  }

  private FlowRule<String> add(FlowAttr attr, String target) {
    FlowRule<String> rule = new FlowRule<>(attr, target);
    table.add(rule);
    return rule;
  }

  private List<String> received(long dst) {
    return received(dst, new byte[60]);
  }

  private List<String> receivedTagged(int vlan) {
    byte[] bytes = new byte[60];
    bytes[12] = (byte) 0x81;
    bytes[15] = (byte) vlan;
    return received(STATION, bytes);
  }

  private List<String> received(long dst, byte[] bytes) {
    for (int i = 0; i < 6; i++) {
      bytes[i] = (byte) (dst >>> (40 - 8 * i));
    }
    List<String> targets = new ArrayList<>();
    assertThat(frame.parse(MemorySegment.ofArray(bytes), 0, bytes.length)).isTrue();
    table.received(frame, rule -> targets.add(rule.target()));
    return targets;
  }
}
