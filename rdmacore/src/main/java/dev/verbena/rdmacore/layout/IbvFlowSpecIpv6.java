package dev.verbena.rdmacore.layout;

/** IPv6 specification of a flow rule. */
public final class IbvFlowSpecIpv6 {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_flow_spec_ipv6", 88);

  public static final long TYPE = LAYOUT.field("type", 0, 4);

  /** Bytes. */
  public static final long SIZE = LAYOUT.field("size", 4, 2);

  public static final long VAL_SRC_IP = LAYOUT.field("val.src_ip", 8, 16);
  public static final long VAL_DST_IP = LAYOUT.field("val.dst_ip", 24, 16);

  /** Big-endian. */
  public static final long VAL_FLOW_LABEL = LAYOUT.field("val.flow_label", 40, 4);

  public static final long VAL_NEXT_HDR = LAYOUT.field("val.next_hdr", 44, 1);
  public static final long VAL_TRAFFIC_CLASS = LAYOUT.field("val.traffic_class", 45, 1);
  public static final long VAL_HOP_LIMIT = LAYOUT.field("val.hop_limit", 46, 1);
  public static final long MASK_SRC_IP = LAYOUT.field("mask.src_ip", 48, 16);
  public static final long MASK_DST_IP = LAYOUT.field("mask.dst_ip", 64, 16);

  /** Big-endian. */
  public static final long MASK_FLOW_LABEL = LAYOUT.field("mask.flow_label", 80, 4);

  public static final long MASK_NEXT_HDR = LAYOUT.field("mask.next_hdr", 84, 1);
  public static final long MASK_TRAFFIC_CLASS = LAYOUT.field("mask.traffic_class", 85, 1);
  public static final long MASK_HOP_LIMIT = LAYOUT.field("mask.hop_limit", 86, 1);

  private IbvFlowSpecIpv6() {}
}
