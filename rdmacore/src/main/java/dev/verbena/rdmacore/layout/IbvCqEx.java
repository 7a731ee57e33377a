package dev.verbena.rdmacore.layout;

/** An extended completion queue; starts like {@link IbvCq}. */
public final class IbvCqEx {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_cq_ex", 288);

  public static final long CONTEXT = LAYOUT.field("context", 0, 8);
  public static final long CHANNEL = LAYOUT.field("channel", 8, 8);
  public static final long CQ_CONTEXT = LAYOUT.field("cq_context", 16, 8);
  public static final long HANDLE = LAYOUT.field("handle", 24, 4);
  public static final long CQE = LAYOUT.field("cqe", 28, 4);
  public static final long COMP_EVENTS_COMPLETED = LAYOUT.field("comp_events_completed", 120, 4);
  public static final long ASYNC_EVENTS_COMPLETED = LAYOUT.field("async_events_completed", 124, 4);
  public static final long COMP_MASK = LAYOUT.field("comp_mask", 128, 4);
  public static final long STATUS = LAYOUT.field("status", 132, 4);
  public static final long WR_ID = LAYOUT.field("wr_id", 136, 8);
  public static final long START_POLL = LAYOUT.field("start_poll", 144, 8);
  public static final long NEXT_POLL = LAYOUT.field("next_poll", 152, 8);
  public static final long END_POLL = LAYOUT.field("end_poll", 160, 8);
  public static final long READ_OPCODE = LAYOUT.field("read_opcode", 168, 8);
  public static final long READ_VENDOR_ERR = LAYOUT.field("read_vendor_err", 176, 8);
  public static final long READ_BYTE_LEN = LAYOUT.field("read_byte_len", 184, 8);
  public static final long READ_IMM_DATA = LAYOUT.field("read_imm_data", 192, 8);
  public static final long READ_QP_NUM = LAYOUT.field("read_qp_num", 200, 8);
  public static final long READ_SRC_QP = LAYOUT.field("read_src_qp", 208, 8);
  public static final long READ_WC_FLAGS = LAYOUT.field("read_wc_flags", 216, 8);
  public static final long READ_SLID = LAYOUT.field("read_slid", 224, 8);
  public static final long READ_SL = LAYOUT.field("read_sl", 232, 8);
  public static final long READ_DLID_PATH_BITS = LAYOUT.field("read_dlid_path_bits", 240, 8);
  public static final long READ_COMPLETION_TS = LAYOUT.field("read_completion_ts", 248, 8);
  public static final long READ_CVLAN = LAYOUT.field("read_cvlan", 256, 8);
  public static final long READ_FLOW_TAG = LAYOUT.field("read_flow_tag", 264, 8);
  public static final long READ_TM_INFO = LAYOUT.field("read_tm_info", 272, 8);
  public static final long READ_COMPLETION_WALLCLOCK_NS =
      LAYOUT.field("read_completion_wallclock_ns", 280, 8);

  private IbvCqEx() {}
}
