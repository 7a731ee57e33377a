package dev.verbena.rdmacore.layout;

/** The argument of ibv_create_wq. */
public final class IbvWqInitAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_wq_init_attr", 48);

  public static final long WQ_CONTEXT = LAYOUT.field("wq_context", 0, 8);
  public static final long WQ_TYPE = LAYOUT.field("wq_type", 8, 4);
  public static final long MAX_WR = LAYOUT.field("max_wr", 12, 4);
  public static final long MAX_SGE = LAYOUT.field("max_sge", 16, 4);
  public static final long PD = LAYOUT.field("pd", 24, 8);
  public static final long CQ = LAYOUT.field("cq", 32, 8);
  public static final long COMP_MASK = LAYOUT.field("comp_mask", 40, 4);
  public static final long CREATE_FLAGS = LAYOUT.field("create_flags", 44, 4);

  private IbvWqInitAttr() {}
}
