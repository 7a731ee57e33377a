package dev.verbena.rdmacore.layout;

/** The capacities of a queue pair. */
public final class IbvQpCap {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_qp_cap", 20);

  public static final long MAX_SEND_WR = LAYOUT.field("max_send_wr", 0, 4);
  public static final long MAX_RECV_WR = LAYOUT.field("max_recv_wr", 4, 4);
  public static final long MAX_SEND_SGE = LAYOUT.field("max_send_sge", 8, 4);
  public static final long MAX_RECV_SGE = LAYOUT.field("max_recv_sge", 12, 4);

  /** Bytes. */
  public static final long MAX_INLINE_DATA = LAYOUT.field("max_inline_data", 16, 4);

  private IbvQpCap() {}
}
