package dev.verbena.verbs;

/**
 * Value or mask of an IPv6 specification (struct ibv_flow_ipv6_filter).
 *
 * @param srcIp source
 * @param dstIp destination
 * @param flowLabel 20 bits
 * @param nextHdr next header of the IPv6 header itself, 8 bits
 * @param trafficClass 8 bits
 * @param hopLimit 8 bits
 */
public record FlowIpv6Filter(
    Gid srcIp, Gid dstIp, int flowLabel, int nextHdr, int trafficClass, int hopLimit) {
  /** All zero. */
  public static final FlowIpv6Filter ZERO = new FlowIpv6Filter(Gid.ZERO, Gid.ZERO, 0, 0, 0, 0);
}
