package dev.verbena.rdmacore.layout;

/** The argument of ibv_create_cq_ex. */
public final class IbvCqInitAttrEx {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_cq_init_attr_ex", 56);

  public static final long CQE = LAYOUT.field("cqe", 0, 4);
  public static final long CQ_CONTEXT = LAYOUT.field("cq_context", 8, 8);
  public static final long CHANNEL = LAYOUT.field("channel", 16, 8);
  public static final long COMP_VECTOR = LAYOUT.field("comp_vector", 24, 4);
  public static final long WC_FLAGS = LAYOUT.field("wc_flags", 32, 8);
  public static final long COMP_MASK = LAYOUT.field("comp_mask", 40, 4);
  public static final long FLAGS = LAYOUT.field("flags", 44, 4);
  public static final long PARENT_DOMAIN = LAYOUT.field("parent_domain", 48, 8);

  private IbvCqInitAttrEx() {}
}
