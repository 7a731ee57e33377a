package dev.verbena.rdmacore.layout;

/** What ibv_alloc_td makes a thread domain from. */
public final class IbvTdInitAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_td_init_attr", 4);

  public static final long COMP_MASK = LAYOUT.field("comp_mask", 0, 4);

  private IbvTdInitAttr() {}
}
