package dev.verbena.dropin.struct;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.host.Structs;
import dev.verbena.rdmacore.layout.IbvFlowSpec;
import dev.verbena.rdmacore.layout.IbvFlowSpecActionDrop;
import dev.verbena.rdmacore.layout.IbvFlowSpecActionTag;
import dev.verbena.rdmacore.layout.IbvFlowSpecEth;
import dev.verbena.rdmacore.layout.IbvFlowSpecIpv4;
import dev.verbena.rdmacore.layout.IbvFlowSpecIpv4Ext;
import dev.verbena.rdmacore.layout.IbvFlowSpecIpv6;
import dev.verbena.rdmacore.layout.IbvFlowSpecTcpUdp;
import dev.verbena.rdmacore.layout.StructLayout;
import dev.verbena.verbs.Errno;
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
import dev.verbena.verbs.MacAddress;
import dev.verbena.verbs.VerbsException;
import java.util.Set;

/** Reads the specifications of a steering rule. A filter's fields are in network byte order. */
final class FlowSpecs {
  private static final String FUNCTION = "createFlow";

  /** Flag of a type: applies to the packet within a tunnel. */
  private static final int INNER = 0x100;

  /**
   * Types of libibverbs that {@link FlowSpecType} lacks: ESP, VXLAN, GRE, MPLS, handle and count.
   */
  private static final Set<Integer> UNSUPPORTED = Set.of(0x34, 0x50, 0x51, 0x60, 0x1002, 0x1003);

  /**
   * Reads one.
   *
   * @param in its address
   * @param size the size in bytes that it claims
   */
  static FlowSpec read(long in, long size) {
    FlowSpecType type = type(Host.getInt(in + IbvFlowSpec.HDR_TYPE));
    StructLayout layout = layout(type);
    if (size != layout.size()) {
      throw new VerbsException(
          FUNCTION,
          Errno.EINVAL,
          "%s of %d bytes, %s has %d".formatted(type, size, layout.type(), layout.size()));
    }
    return switch (type) {
      case ETH -> eth(in);
      case IPV4 -> ipv4(in);
      case IPV4_EXT -> ipv4Ext(in);
      case IPV6 -> ipv6(in);
      case TCP, UDP -> ports(type, in);
      case ACTION_TAG -> new FlowSpecActionTag(Host.getInt(in + IbvFlowSpecActionTag.TAG_ID));
      case ACTION_DROP -> new FlowSpecActionDrop();
    };
  }

  private static FlowSpecType type(int number) {
    if (UNSUPPORTED.contains(number & ~INNER)) {
      throw unsupported("specifications of type 0x" + Integer.toHexString(number));
    }
    FlowSpecType type = FlowSpecType.of(number & ~INNER);
    if ((number & INNER) != 0) {
      throw unsupported("conditions on the packet within a tunnel: INNER | " + type);
    }
    return type;
  }

  private static VerbsException unsupported(String what) {
    return new VerbsException(FUNCTION, Errno.EOPNOTSUPP, what);
  }

  private static StructLayout layout(FlowSpecType type) {
    return switch (type) {
      case ETH -> IbvFlowSpecEth.LAYOUT;
      case IPV4 -> IbvFlowSpecIpv4.LAYOUT;
      case IPV4_EXT -> IbvFlowSpecIpv4Ext.LAYOUT;
      case IPV6 -> IbvFlowSpecIpv6.LAYOUT;
      case TCP, UDP -> IbvFlowSpecTcpUdp.LAYOUT;
      case ACTION_TAG -> IbvFlowSpecActionTag.LAYOUT;
      case ACTION_DROP -> IbvFlowSpecActionDrop.LAYOUT;
    };
  }

  /** Reads value and mask, which have the same layout, with one reader that takes the offset. */
  private static FlowSpecEth eth(long in) {
    long toMask = IbvFlowSpecEth.MASK_DST_MAC - IbvFlowSpecEth.VAL_DST_MAC;
    return new FlowSpecEth(ethFilter(in), ethFilter(in + toMask));
  }

  private static FlowEthFilter ethFilter(long in) {
    return new FlowEthFilter(
        mac(in + IbvFlowSpecEth.VAL_DST_MAC),
        mac(in + IbvFlowSpecEth.VAL_SRC_MAC),
        Host.getNetworkShort(in + IbvFlowSpecEth.VAL_ETHER_TYPE),
        Host.getNetworkShort(in + IbvFlowSpecEth.VAL_VLAN_TAG));
  }

  private static FlowSpecIpv4 ipv4(long in) {
    return new FlowSpecIpv4(
        addresses(in + IbvFlowSpecIpv4.VAL_SRC_IP, in + IbvFlowSpecIpv4.VAL_DST_IP),
        addresses(in + IbvFlowSpecIpv4.MASK_SRC_IP, in + IbvFlowSpecIpv4.MASK_DST_IP));
  }

  private static FlowIpv4Filter addresses(long src, long dst) {
    return new FlowIpv4Filter(Host.getNetworkInt(src), Host.getNetworkInt(dst), 0, 0, 0, 0);
  }

  private static FlowSpecIpv4 ipv4Ext(long in) {
    long toMask = IbvFlowSpecIpv4Ext.MASK_SRC_IP - IbvFlowSpecIpv4Ext.VAL_SRC_IP;
    return new FlowSpecIpv4(ipv4Filter(in), ipv4Filter(in + toMask));
  }

  private static FlowIpv4Filter ipv4Filter(long in) {
    return new FlowIpv4Filter(
        Host.getNetworkInt(in + IbvFlowSpecIpv4Ext.VAL_SRC_IP),
        Host.getNetworkInt(in + IbvFlowSpecIpv4Ext.VAL_DST_IP),
        Host.getByte(in + IbvFlowSpecIpv4Ext.VAL_PROTO),
        Host.getByte(in + IbvFlowSpecIpv4Ext.VAL_TOS),
        Host.getByte(in + IbvFlowSpecIpv4Ext.VAL_TTL),
        Host.getByte(in + IbvFlowSpecIpv4Ext.VAL_FLAGS));
  }

  private static FlowSpecIpv6 ipv6(long in) {
    long toMask = IbvFlowSpecIpv6.MASK_SRC_IP - IbvFlowSpecIpv6.VAL_SRC_IP;
    return new FlowSpecIpv6(ipv6Filter(in), ipv6Filter(in + toMask));
  }

  private static FlowIpv6Filter ipv6Filter(long in) {
    return new FlowIpv6Filter(
        Structs.gid(in + IbvFlowSpecIpv6.VAL_SRC_IP),
        Structs.gid(in + IbvFlowSpecIpv6.VAL_DST_IP),
        Host.getNetworkInt(in + IbvFlowSpecIpv6.VAL_FLOW_LABEL),
        Host.getByte(in + IbvFlowSpecIpv6.VAL_NEXT_HDR),
        Host.getByte(in + IbvFlowSpecIpv6.VAL_TRAFFIC_CLASS),
        Host.getByte(in + IbvFlowSpecIpv6.VAL_HOP_LIMIT));
  }

  private static FlowSpecTcpUdp ports(FlowSpecType type, long in) {
    long toMask = IbvFlowSpecTcpUdp.MASK_DST_PORT - IbvFlowSpecTcpUdp.VAL_DST_PORT;
    return new FlowSpecTcpUdp(type, portFilter(in), portFilter(in + toMask));
  }

  private static FlowTcpUdpFilter portFilter(long in) {
    return new FlowTcpUdpFilter(
        Host.getNetworkShort(in + IbvFlowSpecTcpUdp.VAL_DST_PORT),
        Host.getNetworkShort(in + IbvFlowSpecTcpUdp.VAL_SRC_PORT));
  }

  /** Reads no more than six bytes, because memory may end there. */
  private static MacAddress mac(long in) {
    long high = Integer.toUnsignedLong(Host.getNetworkInt(in)) << Short.SIZE;
    return new MacAddress(high | Host.getNetworkShort(in + Integer.BYTES));
  }

  private FlowSpecs() {}
}
