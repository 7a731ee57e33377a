package dev.verbena.rdmacore.layout;

/** The argument of ibv_create_qp. */
public final class IbvQpInitAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_qp_init_attr", 64);

  public static final long QP_CONTEXT = LAYOUT.field("qp_context", 0, 8);
  public static final long SEND_CQ = LAYOUT.field("send_cq", 8, 8);
  public static final long RECV_CQ = LAYOUT.field("recv_cq", 16, 8);
  public static final long SRQ = LAYOUT.field("srq", 24, 8);

  /** An {@link IbvQpCap}. */
  public static final long CAP = LAYOUT.field("cap", 32, 20);

  public static final long QP_TYPE = LAYOUT.field("qp_type", 52, 4);
  public static final long SQ_SIG_ALL = LAYOUT.field("sq_sig_all", 56, 4);

  private IbvQpInitAttr() {}
}
