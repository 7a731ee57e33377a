package dev.verbena.verbs;

/**
 * Value or mask of an IPv4 specification (struct ibv_flow_ipv4_ext_filter).
 *
 * @param srcIp source, with the first byte most significant: 10.0.0.1 is 0x0a000001
 * @param dstIp destination
 * @param proto protocol, 8 bits
 * @param tos type of service, 8 bits
 * @param ttl time to live, 8 bits
 * @param flags 3 bits: 2 is don't fragment, 1 more fragments
 */
public record FlowIpv4Filter(int srcIp, int dstIp, int proto, int tos, int ttl, int flags) {
  /** All zero. */
  public static final FlowIpv4Filter ZERO = new FlowIpv4Filter(0, 0, 0, 0, 0, 0);
}
