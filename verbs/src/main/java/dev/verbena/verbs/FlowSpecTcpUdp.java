package dev.verbena.verbs;

/**
 * A condition on the ports of TCP or UDP (struct ibv_flow_spec_tcp_udp), over IPv4 or IPv6.
 *
 * @param type {@link FlowSpecType#TCP} or {@link FlowSpecType#UDP}
 * @param val values
 * @param mask masks
 */
public record FlowSpecTcpUdp(FlowSpecType type, FlowTcpUdpFilter val, FlowTcpUdpFilter mask)
    implements FlowSpec {
  private static final int WORD = 0xffff;

  /**
   * A condition on ports.
   *
   * @throws VerbsException EINVAL for another type
   */
  public FlowSpecTcpUdp {
    if (type != FlowSpecType.TCP && type != FlowSpecType.UDP) {
      throw new VerbsException(
          "flowSpecTcpUdp", Errno.EINVAL, "a condition on ports is for TCP or UDP, not " + type);
    }
  }

  /** Matches any TCP packet that is not a fragment; the other methods narrow it down. */
  public static FlowSpecTcpUdp tcp() {
    return new FlowSpecTcpUdp(FlowSpecType.TCP, FlowTcpUdpFilter.ZERO, FlowTcpUdpFilter.ZERO);
  }

  /** Matches any UDP packet that is not a fragment; the other methods narrow it down. */
  public static FlowSpecTcpUdp udp() {
    return new FlowSpecTcpUdp(FlowSpecType.UDP, FlowTcpUdpFilter.ZERO, FlowTcpUdpFilter.ZERO);
  }

  /** The same condition, and this destination port. */
  public FlowSpecTcpUdp dstPort(int port) {
    return new FlowSpecTcpUdp(
        type,
        new FlowTcpUdpFilter(port, val.srcPort()),
        new FlowTcpUdpFilter(WORD, mask.srcPort()));
  }

  /** The same condition, and this source port. */
  public FlowSpecTcpUdp srcPort(int port) {
    return new FlowSpecTcpUdp(
        type,
        new FlowTcpUdpFilter(val.dstPort(), port),
        new FlowTcpUdpFilter(mask.dstPort(), WORD));
  }
}
