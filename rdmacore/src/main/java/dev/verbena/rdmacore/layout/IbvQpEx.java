package dev.verbena.rdmacore.layout;

/** An extended queue pair. */
public final class IbvQpEx {
  public static final StructLayout LAYOUT = StructLayout.growing("struct ibv_qp_ex", 352);

  /** An {@link IbvQp}. */
  public static final long QP_BASE = LAYOUT.field("qp_base", 0, 160);

  public static final long COMP_MASK = LAYOUT.field("comp_mask", 160, 8);
  public static final long WR_ID = LAYOUT.field("wr_id", 168, 8);
  public static final long WR_FLAGS = LAYOUT.field("wr_flags", 176, 4);
  public static final long WR_ATOMIC_CMP_SWP = LAYOUT.field("wr_atomic_cmp_swp", 184, 8);
  public static final long WR_ATOMIC_FETCH_ADD = LAYOUT.field("wr_atomic_fetch_add", 192, 8);
  public static final long WR_BIND_MW = LAYOUT.field("wr_bind_mw", 200, 8);
  public static final long WR_LOCAL_INV = LAYOUT.field("wr_local_inv", 208, 8);
  public static final long WR_RDMA_READ = LAYOUT.field("wr_rdma_read", 216, 8);
  public static final long WR_RDMA_WRITE = LAYOUT.field("wr_rdma_write", 224, 8);
  public static final long WR_RDMA_WRITE_IMM = LAYOUT.field("wr_rdma_write_imm", 232, 8);
  public static final long WR_SEND = LAYOUT.field("wr_send", 240, 8);
  public static final long WR_SEND_IMM = LAYOUT.field("wr_send_imm", 248, 8);
  public static final long WR_SEND_INV = LAYOUT.field("wr_send_inv", 256, 8);
  public static final long WR_SEND_TSO = LAYOUT.field("wr_send_tso", 264, 8);
  public static final long WR_SET_UD_ADDR = LAYOUT.field("wr_set_ud_addr", 272, 8);
  public static final long WR_SET_XRC_SRQN = LAYOUT.field("wr_set_xrc_srqn", 280, 8);
  public static final long WR_SET_INLINE_DATA = LAYOUT.field("wr_set_inline_data", 288, 8);
  public static final long WR_SET_INLINE_DATA_LIST =
      LAYOUT.field("wr_set_inline_data_list", 296, 8);
  public static final long WR_SET_SGE = LAYOUT.field("wr_set_sge", 304, 8);
  public static final long WR_SET_SGE_LIST = LAYOUT.field("wr_set_sge_list", 312, 8);
  public static final long WR_START = LAYOUT.field("wr_start", 320, 8);
  public static final long WR_COMPLETE = LAYOUT.field("wr_complete", 328, 8);
  public static final long WR_ABORT = LAYOUT.field("wr_abort", 336, 8);
  public static final long WR_ATOMIC_WRITE = LAYOUT.field("wr_atomic_write", 344, 8);

  private IbvQpEx() {}
}
