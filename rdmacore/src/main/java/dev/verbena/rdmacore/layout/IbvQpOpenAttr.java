package dev.verbena.rdmacore.layout;

/** The argument of ibv_open_qp, which names a shared queue pair. */
public final class IbvQpOpenAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_qp_open_attr", 32);

  public static final long COMP_MASK = LAYOUT.field("comp_mask", 0, 4);
  public static final long QP_NUM = LAYOUT.field("qp_num", 4, 4);
  public static final long XRCD = LAYOUT.field("xrcd", 8, 8);
  public static final long QP_CONTEXT = LAYOUT.field("qp_context", 16, 8);
  public static final long QP_TYPE = LAYOUT.field("qp_type", 24, 4);

  private IbvQpOpenAttr() {}
}
