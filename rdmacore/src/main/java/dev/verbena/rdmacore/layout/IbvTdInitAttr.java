package dev.verbena.rdmacore.layout;

/** The argument of ibv_alloc_td. */
public final class IbvTdInitAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_td_init_attr", 4);

  public static final long COMP_MASK = LAYOUT.field("comp_mask", 0, 4);

  private IbvTdInitAttr() {}
}
