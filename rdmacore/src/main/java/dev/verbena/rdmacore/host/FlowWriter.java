package dev.verbena.rdmacore.host;

import dev.verbena.rdmacore.layout.IbvFlowAttr;
import dev.verbena.rdmacore.layout.IbvFlowSpec;
import dev.verbena.rdmacore.layout.IbvFlowSpecActionDrop;
import dev.verbena.rdmacore.layout.IbvFlowSpecActionTag;
import dev.verbena.rdmacore.layout.IbvFlowSpecEth;
import dev.verbena.rdmacore.layout.IbvFlowSpecIpv4;
import dev.verbena.rdmacore.layout.IbvFlowSpecIpv4Ext;
import dev.verbena.rdmacore.layout.IbvFlowSpecIpv6;
import dev.verbena.rdmacore.layout.IbvFlowSpecTcpUdp;
import dev.verbena.verbs.FlowAttr;
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
import java.lang.foreign.Arena;

/**
 * Writes steering rules: a struct ibv_flow_attr, followed by its specifications. A filter's fields
 * are in network byte order; value and mask have the same layout.
 */
public final class FlowWriter {
  private static final String CREATE = "createFlow";

  /**
   * Returns the address of the rule.
   *
   * @throws dev.verbena.verbs.VerbsException EINVAL for a value for which its field has no room
   */
  public static long write(Arena arena, FlowAttr attr) {
    long room = IbvFlowAttr.LAYOUT.size() + attr.specs().size() * IbvFlowSpec.LAYOUT.size();
    long out = arena.allocate(room, Long.BYTES).address();
    long next = out + IbvFlowAttr.LAYOUT.size();
    for (FlowSpec spec : attr.specs()) {
      long size = write(spec, next);
      Host.setInt(next + IbvFlowSpec.HDR_TYPE, spec.type().number());
      Host.setShort(next + IbvFlowSpec.HDR_SIZE, (int) size);
      next += size;
    }
    Host.setInt(out + IbvFlowAttr.TYPE, attr.type().number());
    Host.setShort(out + IbvFlowAttr.SIZE, (int) (next - out));
    Host.setShort(out + IbvFlowAttr.PRIORITY, fit("priority", attr.priority(), Short.SIZE));
    Host.setByte(
        out + IbvFlowAttr.NUM_OF_SPECS, fit("num_of_specs", attr.specs().size(), Byte.SIZE));
    Host.setByte(out + IbvFlowAttr.PORT, fit("port", attr.port(), Byte.SIZE));
    Host.setInt(out + IbvFlowAttr.FLAGS, attr.flags());
    return out;
  }

  /** Writes a specification but its type and size, and returns the size. */
  private static long write(FlowSpec spec, long out) {
    return switch (spec) {
      case FlowSpecEth eth -> {
        write(eth.val(), out);
        write(eth.mask(), out + IbvFlowSpecEth.MASK_DST_MAC - IbvFlowSpecEth.VAL_DST_MAC);
        yield IbvFlowSpecEth.LAYOUT.size();
      }
      case FlowSpecIpv4 ip when ip.type() == FlowSpecType.IPV4 -> {
        Host.setNetworkInt(out + IbvFlowSpecIpv4.VAL_SRC_IP, ip.val().srcIp());
        Host.setNetworkInt(out + IbvFlowSpecIpv4.VAL_DST_IP, ip.val().dstIp());
        Host.setNetworkInt(out + IbvFlowSpecIpv4.MASK_SRC_IP, ip.mask().srcIp());
        Host.setNetworkInt(out + IbvFlowSpecIpv4.MASK_DST_IP, ip.mask().dstIp());
        yield IbvFlowSpecIpv4.LAYOUT.size();
      }
      case FlowSpecIpv4 ip -> {
        write(ip.val(), out);
        write(ip.mask(), out + IbvFlowSpecIpv4Ext.MASK_SRC_IP - IbvFlowSpecIpv4Ext.VAL_SRC_IP);
        yield IbvFlowSpecIpv4Ext.LAYOUT.size();
      }
      case FlowSpecIpv6 ip -> {
        write(ip.val(), out);
        write(ip.mask(), out + IbvFlowSpecIpv6.MASK_SRC_IP - IbvFlowSpecIpv6.VAL_SRC_IP);
        yield IbvFlowSpecIpv6.LAYOUT.size();
      }
      case FlowSpecTcpUdp ports -> {
        write(ports.val(), out);
        write(ports.mask(), out + IbvFlowSpecTcpUdp.MASK_DST_PORT - IbvFlowSpecTcpUdp.VAL_DST_PORT);
        yield IbvFlowSpecTcpUdp.LAYOUT.size();
      }
      case FlowSpecActionTag tag -> {
        Host.setInt(out + IbvFlowSpecActionTag.TAG_ID, tag.tagId());
        yield IbvFlowSpecActionTag.LAYOUT.size();
      }
      case FlowSpecActionDrop _ -> IbvFlowSpecActionDrop.LAYOUT.size();
    };
  }

  private static void write(FlowEthFilter filter, long out) {
    write(filter.dstMac(), out + IbvFlowSpecEth.VAL_DST_MAC);
    write(filter.srcMac(), out + IbvFlowSpecEth.VAL_SRC_MAC);
    Host.setNetworkShort(
        out + IbvFlowSpecEth.VAL_ETHER_TYPE, fit("ether_type", filter.etherType(), Short.SIZE));
    Host.setNetworkShort(
        out + IbvFlowSpecEth.VAL_VLAN_TAG, fit("vlan_tag", filter.vlanTag(), Short.SIZE));
  }

  private static void write(FlowIpv4Filter filter, long out) {
    Host.setNetworkInt(out + IbvFlowSpecIpv4Ext.VAL_SRC_IP, filter.srcIp());
    Host.setNetworkInt(out + IbvFlowSpecIpv4Ext.VAL_DST_IP, filter.dstIp());
    Host.setByte(out + IbvFlowSpecIpv4Ext.VAL_PROTO, fit("proto", filter.proto(), Byte.SIZE));
    Host.setByte(out + IbvFlowSpecIpv4Ext.VAL_TOS, fit("tos", filter.tos(), Byte.SIZE));
    Host.setByte(out + IbvFlowSpecIpv4Ext.VAL_TTL, fit("ttl", filter.ttl(), Byte.SIZE));
    Host.setByte(out + IbvFlowSpecIpv4Ext.VAL_FLAGS, fit("flags", filter.flags(), Byte.SIZE));
  }

  private static void write(FlowIpv6Filter filter, long out) {
    Structs.setGid(out + IbvFlowSpecIpv6.VAL_SRC_IP, filter.srcIp());
    Structs.setGid(out + IbvFlowSpecIpv6.VAL_DST_IP, filter.dstIp());
    Host.setNetworkInt(out + IbvFlowSpecIpv6.VAL_FLOW_LABEL, filter.flowLabel());
    Host.setByte(out + IbvFlowSpecIpv6.VAL_NEXT_HDR, fit("next_hdr", filter.nextHdr(), Byte.SIZE));
    Host.setByte(
        out + IbvFlowSpecIpv6.VAL_TRAFFIC_CLASS,
        fit("traffic_class", filter.trafficClass(), Byte.SIZE));
    Host.setByte(
        out + IbvFlowSpecIpv6.VAL_HOP_LIMIT, fit("hop_limit", filter.hopLimit(), Byte.SIZE));
  }

  private static void write(FlowTcpUdpFilter filter, long out) {
    Host.setNetworkShort(
        out + IbvFlowSpecTcpUdp.VAL_DST_PORT, fit("dst_port", filter.dstPort(), Short.SIZE));
    Host.setNetworkShort(
        out + IbvFlowSpecTcpUdp.VAL_SRC_PORT, fit("src_port", filter.srcPort(), Short.SIZE));
  }

  /** A value for which the struct has room. */
  private static int fit(String name, int value, int bits) {
    return FieldBits.requireFit(CREATE, name, value, bits);
  }

  private static void write(MacAddress mac, long out) {
    Host.setNetworkInt(out, (int) (mac.bits() >>> Short.SIZE));
    Host.setNetworkShort(out + Integer.BYTES, (int) mac.bits());
  }

  private FlowWriter() {}
}
