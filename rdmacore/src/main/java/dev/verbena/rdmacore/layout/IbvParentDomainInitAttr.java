package dev.verbena.rdmacore.layout;

/** The argument of ibv_alloc_parent_domain. */
public final class IbvParentDomainInitAttr {
  public static final StructLayout LAYOUT =
      new StructLayout("struct ibv_parent_domain_init_attr", 48);

  public static final long PD = LAYOUT.field("pd", 0, 8);
  public static final long TD = LAYOUT.field("td", 8, 8);
  public static final long COMP_MASK = LAYOUT.field("comp_mask", 16, 4);
  public static final long ALLOC = LAYOUT.field("alloc", 24, 8);
  public static final long FREE = LAYOUT.field("free", 32, 8);
  public static final long PD_CONTEXT = LAYOUT.field("pd_context", 40, 8);

  private IbvParentDomainInitAttr() {}
}
