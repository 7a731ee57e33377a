package dev.verbena.rdmacore.layout;

/** The argument of ibv_create_srq. */
public final class IbvSrqInitAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_srq_init_attr", 24);

  public static final long SRQ_CONTEXT = LAYOUT.field("srq_context", 0, 8);

  /** An {@link IbvSrqAttr}. */
  public static final long ATTR = LAYOUT.field("attr", 8, 12);

  private IbvSrqInitAttr() {}
}
