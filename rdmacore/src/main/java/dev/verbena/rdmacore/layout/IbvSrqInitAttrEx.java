package dev.verbena.rdmacore.layout;

/** The argument of ibv_create_srq_ex; starts like {@link IbvSrqInitAttr}. */
public final class IbvSrqInitAttrEx {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_srq_init_attr_ex", 64);

  public static final long SRQ_CONTEXT = LAYOUT.field("srq_context", 0, 8);

  /** An {@link IbvSrqAttr}. */
  public static final long ATTR = LAYOUT.field("attr", 8, 12);

  public static final long COMP_MASK = LAYOUT.field("comp_mask", 20, 4);
  public static final long SRQ_TYPE = LAYOUT.field("srq_type", 24, 4);
  public static final long PD = LAYOUT.field("pd", 32, 8);
  public static final long XRCD = LAYOUT.field("xrcd", 40, 8);
  public static final long CQ = LAYOUT.field("cq", 48, 8);
  public static final long TM_CAP_MAX_NUM_TAGS = LAYOUT.field("tm_cap.max_num_tags", 56, 4);
  public static final long TM_CAP_MAX_OPS = LAYOUT.field("tm_cap.max_ops", 60, 4);

  private IbvSrqInitAttrEx() {}
}
