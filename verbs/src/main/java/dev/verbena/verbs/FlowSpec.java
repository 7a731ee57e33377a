package dev.verbena.verbs;

/**
 * One condition or action of a steering rule (struct ibv_flow_spec). A condition has a value and a
 * mask: a header field matches if {@code (field & mask) == (value & mask)}. Immutable. Numbers are
 * in the host's order here, unlike C's structures.
 */
public sealed interface FlowSpec
    permits FlowSpecEth,
        FlowSpecIpv4,
        FlowSpecIpv6,
        FlowSpecTcpUdp,
        FlowSpecActionTag,
        FlowSpecActionDrop {
  /** Its kind. */
  FlowSpecType type();
}
