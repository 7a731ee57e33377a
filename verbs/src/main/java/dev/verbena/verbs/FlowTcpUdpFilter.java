package dev.verbena.verbs;

/**
 * Value or mask of a TCP or UDP specification (struct ibv_flow_tcp_udp_filter).
 *
 * @param dstPort destination port, 16 bits
 * @param srcPort source port, 16 bits
 */
public record FlowTcpUdpFilter(int dstPort, int srcPort) {
  /** All zero. */
  public static final FlowTcpUdpFilter ZERO = new FlowTcpUdpFilter(0, 0);
}
