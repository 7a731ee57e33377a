package dev.verbena.verbs;

/**
 * A condition on the IPv4 header (struct ibv_flow_spec_ipv4, and ibv_flow_spec_ipv4_ext if it tests
 * more than addresses).
 *
 * @param val values
 * @param mask masks
 */
public record FlowSpecIpv4(FlowIpv4Filter val, FlowIpv4Filter mask) implements FlowSpec {
  private static final int BYTE = 0xff;

  /** Matches any IPv4 packet; the other methods narrow it down. */
  public FlowSpecIpv4() {
    this(FlowIpv4Filter.ZERO, FlowIpv4Filter.ZERO);
  }

  @Override
  public FlowSpecType type() {
    int more = mask.proto() | mask.tos() | mask.ttl() | mask.flags();
    return more == 0 ? FlowSpecType.IPV4 : FlowSpecType.IPV4_EXT;
  }

  /** The same condition, and a source within this network; a mask of -1 is one address. */
  public FlowSpecIpv4 srcIp(int ip, int network) {
    return new FlowSpecIpv4(
        new FlowIpv4Filter(ip, val.dstIp(), val.proto(), val.tos(), val.ttl(), val.flags()),
        new FlowIpv4Filter(
            network, mask.dstIp(), mask.proto(), mask.tos(), mask.ttl(), mask.flags()));
  }

  /** The same condition, and a destination within this network; a mask of -1 is one address. */
  public FlowSpecIpv4 dstIp(int ip, int network) {
    return new FlowSpecIpv4(
        new FlowIpv4Filter(val.srcIp(), ip, val.proto(), val.tos(), val.ttl(), val.flags()),
        new FlowIpv4Filter(
            mask.srcIp(), network, mask.proto(), mask.tos(), mask.ttl(), mask.flags()));
  }

  /** The same condition, and this protocol, 8 bits. */
  public FlowSpecIpv4 proto(int protocol) {
    return new FlowSpecIpv4(
        new FlowIpv4Filter(val.srcIp(), val.dstIp(), protocol, val.tos(), val.ttl(), val.flags()),
        new FlowIpv4Filter(mask.srcIp(), mask.dstIp(), BYTE, mask.tos(), mask.ttl(), mask.flags()));
  }
}
