package dev.verbena.verbs;

/**
 * A condition on the IPv6 header (struct ibv_flow_spec_ipv6).
 *
 * @param val values
 * @param mask masks
 */
public record FlowSpecIpv6(FlowIpv6Filter val, FlowIpv6Filter mask) implements FlowSpec {
  private static final Gid ALL = new Gid(-1, -1);

  /** Matches any IPv6 packet; the other methods narrow it down. */
  public FlowSpecIpv6() {
    this(FlowIpv6Filter.ZERO, FlowIpv6Filter.ZERO);
  }

  @Override
  public FlowSpecType type() {
    return FlowSpecType.IPV6;
  }

  /** The same condition, and this source. */
  public FlowSpecIpv6 srcIp(Gid ip) {
    return new FlowSpecIpv6(with(val, ip, val.dstIp()), with(mask, ALL, mask.dstIp()));
  }

  /** The same condition, and this destination. */
  public FlowSpecIpv6 dstIp(Gid ip) {
    return new FlowSpecIpv6(with(val, val.srcIp(), ip), with(mask, mask.srcIp(), ALL));
  }

  private static FlowIpv6Filter with(FlowIpv6Filter other, Gid src, Gid dst) {
    return new FlowIpv6Filter(
        src, dst, other.flowLabel(), other.nextHdr(), other.trafficClass(), other.hopLimit());
  }
}
