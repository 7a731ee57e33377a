package dev.verbena.rdmacore.layout;

/** What ibv_modify_qp_rate_limit limits. */
public final class IbvQpRateLimitAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_qp_rate_limit_attr", 16);

  /** Kilobits per second; 0 is no limit. */
  public static final long RATE_LIMIT = LAYOUT.field("rate_limit", 0, 4);

  /** Bytes. */
  public static final long MAX_BURST_SZ = LAYOUT.field("max_burst_sz", 4, 4);

  /** Bytes. */
  public static final long TYPICAL_PKT_SZ = LAYOUT.field("typical_pkt_sz", 8, 2);

  public static final long COMP_MASK = LAYOUT.field("comp_mask", 12, 4);

  private IbvQpRateLimitAttr() {}
}
