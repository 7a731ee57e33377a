package dev.verbena.rdmacore.layout;

/** IPv4 specification of a flow rule. */
public final class IbvFlowSpecIpv4 {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_flow_spec_ipv4", 24);

  public static final long TYPE = LAYOUT.field("type", 0, 4);

  /** Bytes. */
  public static final long SIZE = LAYOUT.field("size", 4, 2);

  /** Big-endian. */
  public static final long VAL_SRC_IP = LAYOUT.field("val.src_ip", 8, 4);

  /** Big-endian. */
  public static final long VAL_DST_IP = LAYOUT.field("val.dst_ip", 12, 4);

  /** Big-endian. */
  public static final long MASK_SRC_IP = LAYOUT.field("mask.src_ip", 16, 4);

  /** Big-endian. */
  public static final long MASK_DST_IP = LAYOUT.field("mask.dst_ip", 20, 4);

  private IbvFlowSpecIpv4() {}
}
