package dev.verbena.rdmacore.layout;

/** The argument of ibv_modify_qp_rate_limit. */
public final class IbvQpRateLimitAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_qp_rate_limit_attr", 16);

  /** kbit/s; 0 for no limit. */
  public static final long RATE_LIMIT = LAYOUT.field("rate_limit", 0, 4);

  /** Bytes. */
  public static final long MAX_BURST_SZ = LAYOUT.field("max_burst_sz", 4, 4);

  /** Bytes. */
  public static final long TYPICAL_PKT_SZ = LAYOUT.field("typical_pkt_sz", 8, 2);

  public static final long COMP_MASK = LAYOUT.field("comp_mask", 12, 4);

  private IbvQpRateLimitAttr() {}
}
