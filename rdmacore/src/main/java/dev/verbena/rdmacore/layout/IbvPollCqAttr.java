package dev.verbena.rdmacore.layout;

/** The argument of ibv_start_poll. */
public final class IbvPollCqAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_poll_cq_attr", 4);

  /** No bit is defined. */
  public static final long COMP_MASK = LAYOUT.field("comp_mask", 0, 4);

  private IbvPollCqAttr() {}
}
