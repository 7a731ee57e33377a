package dev.verbena.tck.raw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Frames;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.pairs.Station;
import dev.verbena.verbs.DeviceCap;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Flow;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.FlowAttrType;
import dev.verbena.verbs.FlowEthFilter;
import dev.verbena.verbs.FlowFlags;
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
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Steering: which queue pair gets a frame (S9.3). */
@ResourceLock(Station.SEGMENT)
@Proves("S9.3")
final class FlowTest {
  private static final MacAddress OTHER = MacAddress.parse("02:00:00:00:be:ef");
  private static final MacAddress GROUP = MacAddress.parse("01:00:5e:00:00:01");

  @Test
  void everyFieldIsComparedUnderItsMask() {
    try (Station a = Station.open();
        Station b = Station.open()) {
      byte[] tcp = Frames.tcp(1, Frames.ACK);
      byte[] ether = Frames.tagged(b.mac(), a.mac(), 0x6007, Frames.IPV4);
      byte[] four = Frames.join(ether, Frames.ipv4(Frames.TCP, tcp.length), tcp);
      byte[] udp = Frames.udp(0);
      byte[] six =
          Frames.join(
              Frames.ethernet(b.mac(), a.mac(), Frames.IPV6), Frames.ipv6(Frames.UDP, 8), udp);
      Gid fd1 = Gid.parse("fd00::1");
      Gid fd2 = Gid.parse("fd00::2");
      int ip1 = 0x0a000001;
      int ip2 = 0x0a000002;
      FlowSpecEth eth = new FlowSpecEth();
      taken(a, b, four, six, eth.srcMac(a.mac()).etherType(Frames.IPV4));
      taken(a, b, four, six, eth.vlan(7));
      taken(a, b, four, six, eth(0, 0x6000, 0, 0xe000));
      taken(a, b, four, six, new FlowSpecIpv4());
      taken(a, b, four, six, new FlowSpecIpv4().srcIp(ip1, -1).dstIp(ip2, -1));
      taken(a, b, four, six, new FlowSpecIpv4().srcIp(0x0a0000ff, 0xffffff00));
      taken(a, b, four, six, new FlowSpecIpv4().proto(Frames.TCP));
      taken(a, b, four, six, ipv4(64, 2));
      taken(a, b, four, six, FlowSpecTcpUdp.tcp());
      taken(a, b, four, six, FlowSpecTcpUdp.tcp().srcPort(1000).dstPort(2000));
      taken(a, b, four, six, ports(FlowSpecType.TCP, 0x07ff, 0xf000));
      taken(a, b, six, four, new FlowSpecIpv6());
      taken(a, b, six, four, new FlowSpecIpv6().srcIp(fd1).dstIp(fd2));
      taken(a, b, six, four, ipv6(17, 64));
      taken(a, b, six, four, FlowSpecTcpUdp.udp().srcPort(1000));
      taken(a, b, six, four, eth.etherType(Frames.IPV6));
      neither(a, b, four, six, eth.srcMac(OTHER));
      neither(a, b, four, six, eth.vlan(8));
      neither(a, b, four, six, new FlowSpecIpv4().srcIp(ip2, -1));
      neither(a, b, four, six, new FlowSpecIpv4().dstIp(ip1, -1));
      neither(a, b, four, six, new FlowSpecIpv4().proto(Frames.UDP));
      neither(a, b, four, six, ipv4(63, 2));
      neither(a, b, four, six, ipv4(64, 0));
      neither(a, b, four, six, new FlowSpecIpv6().srcIp(fd2));
      neither(a, b, four, six, new FlowSpecIpv6().dstIp(fd1));
      neither(a, b, four, six, ipv6(6, 64));
      neither(a, b, four, six, ipv6(17, 63));
      neither(a, b, four, six, FlowSpecTcpUdp.udp().dstPort(2001));
      neither(a, b, four, six, FlowSpecTcpUdp.tcp().srcPort(1001));
    }
  }

  private static FlowSpec eth(int type, int vlan, int typeMask, int vlanMask) {
    return new FlowSpecEth(
        new FlowEthFilter(MacAddress.ZERO, MacAddress.ZERO, type, vlan),
        new FlowEthFilter(MacAddress.ZERO, MacAddress.ZERO, typeMask, vlanMask));
  }

  private static FlowSpec ipv4(int ttl, int flags) {
    return new FlowSpecIpv4(
        new FlowIpv4Filter(0, 0, 0, 0, ttl, flags), new FlowIpv4Filter(0, 0, 0, 0xff, 0xff, 7));
  }

  private static FlowSpec ipv6(int next, int hops) {
    return new FlowSpecIpv6(
        new FlowIpv6Filter(Gid.ZERO, Gid.ZERO, 0, next, 0, hops),
        new FlowIpv6Filter(Gid.ZERO, Gid.ZERO, 0xfffff, 0xff, 0xff, 0xff));
  }

  private static FlowSpec ports(FlowSpecType type, int dst, int dstMask) {
    return new FlowSpecTcpUdp(type, new FlowTcpUdpFilter(dst, 0), new FlowTcpUdpFilter(dstMask, 0));
  }

  /** The rule takes the first frame and leaves the second to the next rule. */
  private static void taken(Station a, Station b, byte[] first, byte[] second, FlowSpec spec) {
    Station c = b.another().post(2);
    Station rest = b.another().post(2);
    c.flow(FlowAttr.normal(spec).priority(1));
    rest.flow(FlowAttr.normal(new FlowSpecEth()).priority(2));
    a.send(first);
    a.send(second);
    assertThat(c.received(0)).as("%s", spec).startsWith(first);
    assertThat(rest.received(0)).as("%s", spec).startsWith(second);
    c.end().assertNothingReceived();
    rest.end().assertNothingReceived();
    c.end().qp().close();
    rest.end().qp().close();
  }

  private static void neither(Station a, Station b, byte[] first, byte[] second, FlowSpec spec) {
    Station c = b.another().post(2);
    Station rest = b.another().post(2);
    c.flow(FlowAttr.normal(spec).priority(1));
    rest.flow(FlowAttr.normal(new FlowSpecEth()).priority(2));
    a.send(first);
    a.send(second);
    assertThat(rest.received(0)).as("%s", spec).startsWith(first);
    assertThat(rest.received(1)).as("%s", spec).startsWith(second);
    c.end().assertNothingReceived();
    c.end().qp().close();
    rest.end().qp().close();
  }

  @Test
  void theLowestPriorityNumberWinsAndThenTheOldestRule() {
    try (Station a = Station.open();
        Station b = Station.open().post(3)) {
      Station c = b.another().post(3);
      Station d = b.another().post(3);
      FlowSpecEth own = new FlowSpecEth().dstMac(b.mac());
      b.flow(FlowAttr.normal(own).priority(5));
      Flow younger = c.flow(FlowAttr.normal(own).priority(5));
      Flow first = d.flow(FlowAttr.normal(own).priority(4));
      byte[] frame = Frames.experiment(b.mac(), a.mac(), 64);
      a.send(frame);
      assertThat(d.received(0)).isEqualTo(frame);
      assertThat(first.qp()).isSameAs(d.end().qp());
      first.close();
      assertThat(first.isClosed()).isTrue();
      a.send(frame);
      assertThat(b.received(0)).isEqualTo(frame);
      younger.close();
      a.send(frame);
      assertThat(b.received(1)).isEqualTo(frame);
      c.end().assertNothingReceived();
      d.end().assertNothingReceived();
    }
  }

  @Test
  void aRuleThatDoesNotTrapPassesItOnAndOneThatDropsEndsIt() {
    try (Station a = Station.open();
        Station b = Station.open().post(2)) {
      Station c = b.another().post(2);
      FlowSpecEth own = new FlowSpecEth().dstMac(b.mac());
      b.flow(FlowAttr.normal(own).flags(FlowFlags.DONT_TRAP));
      c.flow(FlowAttr.normal(own).priority(1));
      byte[] frame = Frames.experiment(b.mac(), a.mac(), 64);
      a.send(frame);
      assertThat(b.received(0)).isEqualTo(frame);
      assertThat(c.received(0)).isEqualTo(frame);
      Flow drop =
          c.flow(FlowAttr.normal(own.srcMac(a.mac()), new FlowSpecActionDrop()).priority(0));
      // The older rule of the same priority comes first, then the drop ends it.
      a.send(frame);
      assertThat(b.received(1)).isEqualTo(frame);
      c.end().assertNothingReceived();
      drop.close();
      b.post(1);
      a.send(frame);
      assertThat(c.received(1)).isEqualTo(frame);
    }
  }

  @Test
  void defaultRulesTakeWhatNoNormalRuleDoes() {
    try (Station a = Station.open();
        Station b = Station.open().post(4)) {
      Station groups = b.another().post(4);
      Station all = b.another().post(4);
      b.flow(FlowAttr.normal(new FlowSpecEth().dstMac(b.mac())).priority(9));
      all.flow(new FlowAttr(FlowAttrType.ALL_DEFAULT));
      Flow group = groups.flow(new FlowAttr(FlowAttrType.MC_DEFAULT));
      byte[] own = Frames.experiment(b.mac(), a.mac(), 64);
      byte[] foreign = Frames.experiment(OTHER, a.mac(), 65);
      byte[] multicast = Frames.experiment(GROUP, a.mac(), 66);
      byte[] broadcast = Frames.experiment(MacAddress.BROADCAST, a.mac(), 67);
      for (byte[] frame : new byte[][] {own, foreign, multicast, broadcast}) {
        a.send(frame);
      }
      assertThat(b.received(0)).isEqualTo(own);
      assertThat(all.received(0)).as("promiscuous").isEqualTo(foreign);
      assertThat(groups.received(0)).isEqualTo(multicast);
      assertThat(groups.received(1)).isEqualTo(broadcast);
      group.close();
      a.send(broadcast);
      assertThat(all.received(1)).isEqualTo(broadcast);
      b.end().assertNothingReceived();
    }
  }

  @Test
  void whatIsForOthersReachesOnlyRulesThatAskForIt() {
    try (Station a = Station.open();
        Station b = Station.open().post(2)) {
      Station c = b.another().post(2);
      c.flow(FlowAttr.normal(new FlowSpecEth().etherType(Frames.EXPERIMENT)));
      byte[] foreign = Frames.experiment(OTHER, a.mac(), 64);
      a.send(foreign);
      b.flow(FlowAttr.normal(new FlowSpecEth().dstMac(OTHER)).priority(1));
      a.send(foreign);
      assertThat(b.received(0)).isEqualTo(foreign);
      b.end().assertNothingReceived();
      c.end().assertNothingReceived();
    }
  }

  @Test
  void aSnifferGetsACopyOfEverythingSentAndReceived() {
    try (Station a = Station.open();
        Station b = Station.open().listening(2)) {
      Station sniffer = b.another().post(8);
      sniffer.flow(new FlowAttr(FlowAttrType.SNIFFER));
      byte[] in = Frames.experiment(b.mac(), a.mac(), 64);
      byte[] foreign = Frames.experiment(OTHER, a.mac(), 65);
      byte[] out = Frames.experiment(a.mac(), b.mac(), 66);
      byte[] own = Frames.experiment(b.mac(), b.mac(), 67);
      a.send(in);
      a.send(foreign);
      b.send(out);
      b.send(own);
      assertThat(sniffer.received(0)).isEqualTo(in);
      assertThat(sniffer.received(1)).isEqualTo(foreign);
      assertThat(sniffer.received(2)).isEqualTo(out);
      assertThat(sniffer.received(3)).as("once").isEqualTo(own);
      sniffer.end().assertNothingReceived();
      assertThat(b.received(0)).isEqualTo(in);
      assertThat(b.received(1)).as("the next frame to itself").isEqualTo(own);
    }
  }

  @Test
  void groupFramesComeToTheOtherQueuePairsOfTheSender() {
    try (Station a = Station.open().post(1)) {
      Station b = a.another().post(1);
      FlowAttr groups = new FlowAttr(FlowAttrType.MC_DEFAULT);
      b.flow(groups);
      byte[] frame = Frames.experiment(GROUP, a.mac(), 64);
      a.send(frame);
      assertThat(b.received(0)).isEqualTo(frame);
      b.post(1);
      b.send(frame);
      byte[] behind = Frames.experiment(GROUP, a.mac(), 65);
      a.send(behind);
      assertThat(b.received(0)).as("not its own").isEqualTo(behind);
    }
  }

  @Test
  void aQueuePairWithARuleIsBusyAndItsCloseRemovesTheRule() {
    try (Station a = Station.open();
        Station b = Station.open()) {
      Station c = b.another().listening(1);
      Flow flow = c.flow(new FlowAttr(FlowAttrType.SNIFFER));
      Refused.of(() -> c.end().qp().destroy(), Errno.EBUSY).naming("flow");
      c.end().qp().close();
      assertThat(flow.isClosed()).isTrue();
      a.send(Frames.experiment(b.mac(), a.mac(), 64));
      Station d = b.another();
      Flow one = d.flow(new FlowAttr(FlowAttrType.ALL_DEFAULT));
      assertThat(one.context()).isSameAs(d.end().context());
      one.destroy();
      one.close();
      Refused.of(one::destroy, Errno.EBADF).from("destroyFlow");
      Refused.of(one::context, Errno.EBADF);
      d.end().qp().destroy();
    }
  }

  @Test
  void impossibleRulesAreRefused() {
    try (Station a = Station.open()) {
      int caps = a.end().context().queryDevice().deviceCapFlags();
      assertThat(caps & DeviceCap.MANAGED_FLOW_STEERING).isNotZero();
      QueuePair qp = a.end().qp();
      FlowSpecEth eth = new FlowSpecEth();
      refused(qp, Errno.EINVAL, FlowAttr.normal(eth).port(0), "port");
      refused(qp, Errno.EINVAL, FlowAttr.normal(eth).port(2), "port");
      refused(qp, Errno.EINVAL, FlowAttr.normal(eth).priority(-1), "priority");
      refused(qp, Errno.EINVAL, FlowAttr.normal(eth).priority(0x10000), "priority");
      refused(qp, Errno.EINVAL, FlowAttr.normal(eth).flags(1), "0x1");
      refused(qp, Errno.EOPNOTSUPP, FlowAttr.normal(eth).flags(FlowFlags.EGRESS), "EGRESS");
      refused(qp, Errno.EINVAL, FlowAttr.normal(), "condition");
      refused(qp, Errno.EINVAL, FlowAttr.normal(new FlowSpecActionTag(1)), "condition");
      refused(qp, Errno.EINVAL, FlowAttr.normal(eth, eth), "second");
      refused(qp, Errno.EINVAL, FlowAttr.normal(new FlowSpecIpv4(), new FlowSpecIpv6()), "second");
      FlowSpec tcp = FlowSpecTcpUdp.tcp();
      refused(qp, Errno.EINVAL, FlowAttr.normal(tcp, FlowSpecTcpUdp.udp()), "second");
      FlowAttr all = new FlowAttr(FlowAttrType.ALL_DEFAULT);
      refused(qp, Errno.EINVAL, all.flags(FlowFlags.DONT_TRAP), "DONT_TRAP");
      refused(qp, Errno.EINVAL, new FlowAttr(FlowAttrType.SNIFFER).spec(tcp), "SNIFFER");
      QueuePair rc = a.end().pd().createQp(QpInitAttr.rc(a.end().recvCq()));
      refused(rc, Errno.EINVAL, FlowAttr.normal(eth), "RC");
    }
  }

  private static void refused(QueuePair qp, int errno, FlowAttr attr, String why) {
    Refused.of(() -> qp.createFlow(attr), errno).from("createFlow").naming(why);
  }
}
