package dev.verbena.rdmacore.layout;

/** The argument of ibv_modify_cq. */
public final class IbvModifyCqAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_modify_cq_attr", 8);

  public static final long ATTR_MASK = LAYOUT.field("attr_mask", 0, 4);

  /** Completions. */
  public static final long MODERATE_CQ_COUNT = LAYOUT.field("moderate.cq_count", 4, 2);

  /** Microseconds. */
  public static final long MODERATE_CQ_PERIOD = LAYOUT.field("moderate.cq_period", 6, 2);

  private IbvModifyCqAttr() {}
}
