package dev.verbena.rdmacore.layout;

/** TCP or UDP specification of a flow rule. */
public final class IbvFlowSpecTcpUdp {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_flow_spec_tcp_udp", 16);

  public static final long TYPE = LAYOUT.field("type", 0, 4);

  /** Bytes. */
  public static final long SIZE = LAYOUT.field("size", 4, 2);

  /** Big-endian. */
  public static final long VAL_DST_PORT = LAYOUT.field("val.dst_port", 6, 2);

  /** Big-endian. */
  public static final long VAL_SRC_PORT = LAYOUT.field("val.src_port", 8, 2);

  /** Big-endian. */
  public static final long MASK_DST_PORT = LAYOUT.field("mask.dst_port", 10, 2);

  /** Big-endian. */
  public static final long MASK_SRC_PORT = LAYOUT.field("mask.src_port", 12, 2);

  private IbvFlowSpecTcpUdp() {}
}
