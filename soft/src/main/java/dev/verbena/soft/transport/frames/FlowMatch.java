package dev.verbena.soft.transport.frames;

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
import dev.verbena.wire.EthernetFrame;

/**
 * Whether a frame matches a flow specification: every masked header field must equal the masked
 * value (S9.3). A condition on a missing header never matches.
 */
public final class FlowMatch {
  /** Whether the frame matches; actions have no condition. */
  static boolean fits(FlowSpec spec, EthernetFrame frame) {
    return switch (spec) {
      case FlowSpecEth eth -> ethernet(eth.val(), eth.mask(), frame);
      case FlowSpecIpv4 ip -> frame.ipVersion() == 4 && ipv4(ip.val(), ip.mask(), frame);
      case FlowSpecIpv6 ip -> frame.ipVersion() == 6 && ipv6(ip.val(), ip.mask(), frame);
      case FlowSpecTcpUdp ports -> ports(ports, frame);
      case FlowSpecActionTag tag -> true;
      case FlowSpecActionDrop drop -> true;
    };
  }

  private static boolean ethernet(FlowEthFilter val, FlowEthFilter mask, EthernetFrame frame) {
    return ((frame.dst() ^ val.dstMac().bits()) & mask.dstMac().bits()) == 0
        && ((frame.src() ^ val.srcMac().bits()) & mask.srcMac().bits()) == 0
        && fits(frame.etherType(), val.etherType(), mask.etherType())
        && (mask.vlanTag() == 0
            || (frame.isTagged() && fits(frame.vlanTag(), val.vlanTag(), mask.vlanTag())));
  }

  private static boolean ipv4(FlowIpv4Filter val, FlowIpv4Filter mask, EthernetFrame frame) {
    return fits(frame.ipv4Src(), val.srcIp(), mask.srcIp())
        && fits(frame.ipv4Dst(), val.dstIp(), mask.dstIp())
        && fits(frame.protocol(), val.proto(), mask.proto())
        && fits(frame.ipv4Tos(), val.tos(), mask.tos())
        && fits(frame.ipv4Ttl(), val.ttl(), mask.ttl())
        && fits(frame.ipv4Flags(), val.flags(), mask.flags());
  }

  private static boolean ipv6(FlowIpv6Filter val, FlowIpv6Filter mask, EthernetFrame frame) {
    return fits(frame.ipv6SrcHi(), frame.ipv6SrcLo(), val.srcIp(), mask.srcIp())
        && fits(frame.ipv6DstHi(), frame.ipv6DstLo(), val.dstIp(), mask.dstIp())
        && fits(frame.ipv6FlowLabel(), val.flowLabel(), mask.flowLabel())
        && fits(frame.ipv6NextHeader(), val.nextHdr(), mask.nextHdr())
        && fits(frame.ipv6TrafficClass(), val.trafficClass(), mask.trafficClass())
        && fits(frame.ipv6HopLimit(), val.hopLimit(), mask.hopLimit());
  }

  private static boolean ports(FlowSpecTcpUdp spec, EthernetFrame frame) {
    int upper = spec.type() == FlowSpecType.TCP ? EthernetFrame.TCP : EthernetFrame.UDP;
    FlowTcpUdpFilter val = spec.val();
    FlowTcpUdpFilter mask = spec.mask();
    return frame.upper() == upper
        && fits(frame.dstPort(), val.dstPort(), mask.dstPort())
        && fits(frame.srcPort(), val.srcPort(), mask.srcPort());
  }

  private static boolean fits(int field, int value, int mask) {
    return ((field ^ value) & mask) == 0;
  }

  private static boolean fits(long hi, long lo, Gid value, Gid mask) {
    return ((hi ^ value.subnetPrefix()) & mask.subnetPrefix()) == 0
        && ((lo ^ value.interfaceId()) & mask.interfaceId()) == 0;
  }

  private FlowMatch() {}
}
