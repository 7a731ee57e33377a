package dev.verbena.rdmacore.layout;

/** The argument of ibv_modify_wq. */
public final class IbvWqAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_wq_attr", 20);

  public static final long ATTR_MASK = LAYOUT.field("attr_mask", 0, 4);
  public static final long WQ_STATE = LAYOUT.field("wq_state", 4, 4);
  public static final long CURR_WQ_STATE = LAYOUT.field("curr_wq_state", 8, 4);
  public static final long FLAGS = LAYOUT.field("flags", 12, 4);
  public static final long FLAGS_MASK = LAYOUT.field("flags_mask", 16, 4);

  private IbvWqAttr() {}
}
