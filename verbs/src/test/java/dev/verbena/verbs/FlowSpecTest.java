package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlowSpecTest {
  private static final MacAddress MAC = MacAddress.parse("02:00:0A:4d:00:01");

  @Test
  void typesHaveTheNumbersOfLibibverbs() {
    assertThat(Stream.of(FlowAttrType.values()).map(FlowAttrType::number))
        .containsExactly(0, 1, 2, 3);
    assertThat(Stream.of(FlowSpecType.values()).map(FlowSpecType::number))
        .containsExactly(0x20, 0x30, 0x31, 0x32, 0x40, 0x41, 0x1000, 0x1001);
    assertThat(FlowAttrType.of(3)).isEqualTo(FlowAttrType.SNIFFER);
    assertThat(FlowSpecType.of(0x32)).isEqualTo(FlowSpecType.IPV4_EXT);
    assertThat(FlowFlags.DONT_TRAP).isEqualTo(2);
    assertThat(FlowFlags.EGRESS).isEqualTo(4);
    assertThat(RawPacketCaps.IP_CSUM).isEqualTo(4);
  }

  @Test
  void aFieldThatIsAskedForGetsAFullMaskAndLeavesTheOthersAlone() {
    FlowSpecEth eth = new FlowSpecEth().srcMac(MAC).etherType(0x0800).vlan(7).dstMac(MAC);
    assertThat(eth.val()).isEqualTo(new FlowEthFilter(MAC, MAC, 0x0800, 7));
    assertThat(eth.mask())
        .isEqualTo(new FlowEthFilter(MacAddress.BROADCAST, MacAddress.BROADCAST, 0xffff, 0x0fff));
    assertThat(new FlowSpecEth().etherType(1).mask())
        .isEqualTo(new FlowEthFilter(MacAddress.ZERO, MacAddress.ZERO, 0xffff, 0));
    FlowSpecIpv4 four = new FlowSpecIpv4().proto(6).srcIp(1, -1).dstIp(2, 0xff00);
    assertThat(four.val()).isEqualTo(new FlowIpv4Filter(1, 2, 6, 0, 0, 0));
    assertThat(four.mask()).isEqualTo(new FlowIpv4Filter(-1, 0xff00, 0xff, 0, 0, 0));
    Gid ip = Gid.parse("fd00::1");
    Gid all = new Gid(-1, -1);
    FlowSpecIpv6 six = new FlowSpecIpv6().dstIp(ip).srcIp(Gid.ZERO);
    assertThat(six.val()).isEqualTo(new FlowIpv6Filter(Gid.ZERO, ip, 0, 0, 0, 0));
    assertThat(six.mask()).isEqualTo(new FlowIpv6Filter(all, all, 0, 0, 0, 0));
    FlowSpecTcpUdp udp = FlowSpecTcpUdp.udp().srcPort(1).dstPort(2);
    assertThat(udp.val()).isEqualTo(new FlowTcpUdpFilter(2, 1));
    assertThat(udp.mask()).isEqualTo(new FlowTcpUdpFilter(0xffff, 0xffff));
  }

  @Test
  void theTypeOfAnIpv4SpecificationFollowsFromWhatItAsksFor() {
    assertThat(new FlowSpecIpv4().srcIp(1, -1).type()).isEqualTo(FlowSpecType.IPV4);
    assertThat(new FlowSpecIpv4().proto(6).type()).isEqualTo(FlowSpecType.IPV4_EXT);
  }

  @Test
  void portsAreThoseOfTcpOrUdp() {
    assertThatThrownBy(
            () ->
                new FlowSpecTcpUdp(FlowSpecType.ETH, FlowTcpUdpFilter.ZERO, FlowTcpUdpFilter.ZERO))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("ETH");
  }

  @Test
  void anAttributeHasDefaultsAndTellsItself() {
    FlowAttr attr = FlowAttr.normal(new FlowSpecEth()).spec(new FlowSpecActionTag(5));
    assertThat(attr.type()).isEqualTo(FlowAttrType.NORMAL);
    assertThat(attr.port()).isEqualTo(1);
    assertThat(attr.priority()).isZero();
    assertThat(attr.flags()).isZero();
    assertThat(attr.specs()).hasSize(2);
    assertThat(attr.type(FlowAttrType.SNIFFER).priority(3).toString())
        .contains("SNIFFER", "priority=3", "tagId=5");
  }

  @Test
  void addressesAreWrittenAndReadInBothForms() {
    assertThat(MAC.toString()).isEqualTo("02:00:0a:4d:00:01");
    assertThat(MAC.bits()).isEqualTo(0x0200_0a4d_0001L);
    assertThat(MacAddress.ofBytes(MAC.toBytes())).isEqualTo(MAC);
    assertThat(MAC.isGroup()).isFalse();
    assertThat(MacAddress.BROADCAST.isGroup()).isTrue();
    assertThat(MacAddress.parse("01:00:5e:00:00:01").isGroup()).isTrue();
    assertThatThrownBy(() -> new MacAddress(1L << 48)).isInstanceOf(VerbsException.class);
    assertThatThrownBy(() -> MacAddress.ofBytes(new byte[5])).isInstanceOf(VerbsException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "02:00:0a:4d:00", "02-00-0a-4d-00-01", "02:00:0a:4d:00:0g", "0:0:0:0:0:0"})
  void whatIsNoAddressIsRefused(String text) {
    assertThatThrownBy(() -> MacAddress.parse(text))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("'" + text + "'");
  }
}
