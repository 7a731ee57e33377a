package dev.verbena.soft.transport.frames;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.FlowEthFilter;
import dev.verbena.verbs.FlowIpv4Filter;
import dev.verbena.verbs.FlowIpv6Filter;
import dev.verbena.verbs.FlowSpec;
import dev.verbena.verbs.FlowSpecActionDrop;
import dev.verbena.verbs.FlowSpecActionTag;
import dev.verbena.verbs.FlowSpecEth;
import dev.verbena.verbs.FlowSpecIpv4;
import dev.verbena.verbs.FlowSpecIpv6;
import dev.verbena.verbs.FlowSpecTcpUdp;
import dev.verbena.verbs.FlowSpecType;
import dev.verbena.verbs.FlowTcpUdpFilter;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MacAddress;
import dev.verbena.wire.EthernetFrame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Each field of each condition, under its mask and outside of it. */
class FlowMatchTest {
  private static final String MACS = "0200000000a1" + "0200000000b2";
  private static final String TCP = "d4310050" + "0000000000000000" + "5018ffff00000000";
  private static final String UDP = "d43112b700080000";
  private static final String IPV4_TCP =
      MACS + "0800" + "45ab00280000" + "4000" + "2b06" + "0000" + "0a0b0c0d" + "c0a80102" + TCP;
  private static final String IPV4_UDP =
      MACS + "0800" + "45ab001c0000" + "4000" + "2b11" + "0000" + "0a0b0c0d" + "c0a80102" + UDP;
  private static final String IPV6_UDP =
      MACS
          + "86dd"
          + "6cd54321"
          + "0008"
          + "11"
          + "2c"
          + "20010db8000000010000000000000002"
          + "fd000000000000030000000000000004"
          + UDP;
  private static final String TAGGED = MACS + "8100" + "2123" + IPV4_TCP.substring(24);

  private final EthernetFrame frame = new EthernetFrame();

  private boolean fits(FlowSpec spec, String hex) {
    MemorySegment bytes = MemorySegment.ofArray(HexFormat.of().parseHex(hex));
    assertThat(frame.parse(bytes, 0, (int) bytes.byteSize())).isTrue();
    return FlowMatch.fits(spec, frame);
  }

  /** For each bit: it must be equal if the mask has it, and it does not matter otherwise. */
  private void assertCompared(String hex, long value, int bits, Condition condition) {
    for (int bit = 0; bit < bits; bit++) {
      long one = 1L << bit;
      assertThat(fits(condition.of(value, one), hex)).as("bit %d is equal", bit).isTrue();
      assertThat(fits(condition.of(value ^ one, one), hex)).as("bit %d differs", bit).isFalse();
      assertThat(fits(condition.of(value ^ one, ~one), hex)).as("bit %d is masked", bit).isTrue();
    }
  }

  /** A condition on one field. */
  private interface Condition {
    FlowSpec of(long value, long mask);
  }

  private static Condition ethernet(LongFunction<FlowEthFilter> filter) {
    return (value, mask) -> new FlowSpecEth(filter.apply(value), filter.apply(mask));
  }

  private static Condition ipv4(LongFunction<FlowIpv4Filter> filter) {
    return (value, mask) -> new FlowSpecIpv4(filter.apply(value), filter.apply(mask));
  }

  private static Condition ipv6(LongFunction<FlowIpv6Filter> filter) {
    return (value, mask) -> new FlowSpecIpv6(filter.apply(value), filter.apply(mask));
  }

  private static Condition ports(FlowSpecType type, LongFunction<FlowTcpUdpFilter> filter) {
    return (value, mask) -> new FlowSpecTcpUdp(type, filter.apply(value), filter.apply(mask));
  }

  private static MacAddress mac(long bits) {
    return new MacAddress(bits & 0xFFFF_FFFF_FFFFL);
  }

  @Test
  @Proves("S9.3")
  void everyFieldOfEthernetIsCompared() {
    MacAddress none = MacAddress.ZERO;
    assertCompared(
        IPV4_TCP, 0x0200_0000_00a1L, 48, ethernet(v -> new FlowEthFilter(mac(v), none, 0, 0)));
    assertCompared(
        IPV4_TCP, 0x0200_0000_00b2L, 48, ethernet(v -> new FlowEthFilter(none, mac(v), 0, 0)));
    assertCompared(
        IPV4_TCP, 0x0800, 16, ethernet(v -> new FlowEthFilter(none, none, (int) v & 0xFFFF, 0)));
    assertCompared(
        TAGGED, 0x2123, 16, ethernet(v -> new FlowEthFilter(none, none, 0, (int) v & 0xFFFF)));
    assertThat(fits(new FlowSpecEth(), IPV4_TCP)).isTrue();
  }

  @Test
  @Proves("S9.3")
  void everyFieldOfIpv4IsCompared() {
    assertCompared(IPV4_TCP, 0x0A0B0C0D, 32, ipv4(v -> new FlowIpv4Filter((int) v, 0, 0, 0, 0, 0)));
    assertCompared(IPV4_TCP, 0xC0A80102, 32, ipv4(v -> new FlowIpv4Filter(0, (int) v, 0, 0, 0, 0)));
    assertCompared(IPV4_TCP, 6, 8, ipv4(v -> new FlowIpv4Filter(0, 0, (int) v & 0xFF, 0, 0, 0)));
    assertCompared(IPV4_TCP, 0xAB, 8, ipv4(v -> new FlowIpv4Filter(0, 0, 0, (int) v & 0xFF, 0, 0)));
    assertCompared(IPV4_TCP, 0x2B, 8, ipv4(v -> new FlowIpv4Filter(0, 0, 0, 0, (int) v & 0xFF, 0)));
    assertCompared(IPV4_TCP, 2, 3, ipv4(v -> new FlowIpv4Filter(0, 0, 0, 0, 0, (int) v & 7)));
    assertThat(fits(new FlowSpecIpv4(), IPV4_TCP)).isTrue();
    assertThat(fits(new FlowSpecIpv4(), TAGGED)).isTrue();
    assertThat(fits(new FlowSpecIpv4(), IPV6_UDP)).isFalse();
  }

  @Test
  @Proves("S9.3")
  void everyFieldOfIpv6IsCompared() {
    Gid none = Gid.ZERO;
    long srcHi = 0x2001_0db8_0000_0001L;
    long dstHi = 0xfd00_0000_0000_0003L;
    assertCompared(
        IPV6_UDP, srcHi, 64, ipv6(v -> new FlowIpv6Filter(new Gid(v, 0), none, 0, 0, 0, 0)));
    assertCompared(IPV6_UDP, 2, 64, ipv6(v -> new FlowIpv6Filter(new Gid(0, v), none, 0, 0, 0, 0)));
    assertCompared(
        IPV6_UDP, dstHi, 64, ipv6(v -> new FlowIpv6Filter(none, new Gid(v, 0), 0, 0, 0, 0)));
    assertCompared(IPV6_UDP, 4, 64, ipv6(v -> new FlowIpv6Filter(none, new Gid(0, v), 0, 0, 0, 0)));
    assertCompared(
        IPV6_UDP,
        0x54321,
        20,
        ipv6(v -> new FlowIpv6Filter(none, none, (int) v & 0xFFFFF, 0, 0, 0)));
    assertCompared(
        IPV6_UDP, 0x11, 8, ipv6(v -> new FlowIpv6Filter(none, none, 0, (int) v & 0xFF, 0, 0)));
    assertCompared(
        IPV6_UDP, 0xCD, 8, ipv6(v -> new FlowIpv6Filter(none, none, 0, 0, (int) v & 0xFF, 0)));
    assertCompared(
        IPV6_UDP, 0x2C, 8, ipv6(v -> new FlowIpv6Filter(none, none, 0, 0, 0, (int) v & 0xFF)));
    assertThat(fits(new FlowSpecIpv6(), IPV6_UDP)).isTrue();
    assertThat(fits(new FlowSpecIpv6(), IPV4_UDP)).isFalse();
  }

  @Test
  @Proves("S9.3")
  void portsAreThoseOfTheProtocol() {
    for (String udp : List.of(IPV4_UDP, IPV6_UDP)) {
      assertCompared(
          udp, 0x12B7, 16, ports(FlowSpecType.UDP, v -> new FlowTcpUdpFilter((int) v & 0xFFFF, 0)));
      assertCompared(
          udp, 0xD431, 16, ports(FlowSpecType.UDP, v -> new FlowTcpUdpFilter(0, (int) v & 0xFFFF)));
      assertThat(fits(FlowSpecTcpUdp.udp(), udp)).isTrue();
      assertThat(fits(FlowSpecTcpUdp.tcp(), udp)).isFalse();
    }
    assertCompared(
        IPV4_TCP, 80, 16, ports(FlowSpecType.TCP, v -> new FlowTcpUdpFilter((int) v & 0xFFFF, 0)));
    assertThat(fits(FlowSpecTcpUdp.tcp(), IPV4_TCP)).isTrue();
    assertThat(fits(FlowSpecTcpUdp.udp(), IPV4_TCP)).isFalse();
    assertThat(fits(FlowSpecTcpUdp.tcp(), MACS + "0806" + "00".repeat(46))).isFalse();
  }

  @Test
  void actionsAskForNothing() {
    List<FlowSpec> actions = new ArrayList<>();
    actions.add(new FlowSpecActionTag(7));
    actions.add(new FlowSpecActionDrop());
    for (FlowSpec action : actions) {
      assertThat(fits(action, MACS + "0806")).isTrue();
    }
  }
}
