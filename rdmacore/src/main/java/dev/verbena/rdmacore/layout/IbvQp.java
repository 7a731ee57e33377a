package dev.verbena.rdmacore.layout;

/** A queue pair. */
public final class IbvQp {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_qp", 160);

  public static final long CONTEXT = LAYOUT.field("context", 0, 8);
  public static final long QP_CONTEXT = LAYOUT.field("qp_context", 8, 8);
  public static final long PD = LAYOUT.field("pd", 16, 8);
  public static final long SEND_CQ = LAYOUT.field("send_cq", 24, 8);
  public static final long RECV_CQ = LAYOUT.field("recv_cq", 32, 8);
  public static final long SRQ = LAYOUT.field("srq", 40, 8);
  public static final long HANDLE = LAYOUT.field("handle", 48, 4);
  public static final long QP_NUM = LAYOUT.field("qp_num", 52, 4);
  public static final long STATE = LAYOUT.field("state", 56, 4);
  public static final long QP_TYPE = LAYOUT.field("qp_type", 60, 4);
  public static final long EVENTS_COMPLETED = LAYOUT.field("events_completed", 152, 4);

  private IbvQp() {}
}
