package dev.verbena.rdmacore.layout;

/** Extended IPv4 specification of a flow rule. */
public final class IbvFlowSpecIpv4Ext {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_flow_spec_ipv4_ext", 32);

  public static final long TYPE = LAYOUT.field("type", 0, 4);

  /** Bytes. */
  public static final long SIZE = LAYOUT.field("size", 4, 2);

  /** Big-endian. */
  public static final long VAL_SRC_IP = LAYOUT.field("val.src_ip", 8, 4);

  /** Big-endian. */
  public static final long VAL_DST_IP = LAYOUT.field("val.dst_ip", 12, 4);

  public static final long VAL_PROTO = LAYOUT.field("val.proto", 16, 1);
  public static final long VAL_TOS = LAYOUT.field("val.tos", 17, 1);
  public static final long VAL_TTL = LAYOUT.field("val.ttl", 18, 1);
  public static final long VAL_FLAGS = LAYOUT.field("val.flags", 19, 1);

  /** Big-endian. */
  public static final long MASK_SRC_IP = LAYOUT.field("mask.src_ip", 20, 4);

  /** Big-endian. */
  public static final long MASK_DST_IP = LAYOUT.field("mask.dst_ip", 24, 4);

  public static final long MASK_PROTO = LAYOUT.field("mask.proto", 28, 1);
  public static final long MASK_TOS = LAYOUT.field("mask.tos", 29, 1);
  public static final long MASK_TTL = LAYOUT.field("mask.ttl", 30, 1);
  public static final long MASK_FLAGS = LAYOUT.field("mask.flags", 31, 1);

  private IbvFlowSpecIpv4Ext() {}
}
