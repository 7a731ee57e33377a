package dev.verbena.rdmacore.layout;

/** A send work request; a list of them is linked through {@link #NEXT}. */
public final class IbvSendWr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_send_wr", 128);

  public static final long WR_ID = LAYOUT.field("wr_id", 0, 8);
  public static final long NEXT = LAYOUT.field("next", 8, 8);
  public static final long SG_LIST = LAYOUT.field("sg_list", 16, 8);
  public static final long NUM_SGE = LAYOUT.field("num_sge", 24, 4);
  public static final long OPCODE = LAYOUT.field("opcode", 28, 4);
  public static final long SEND_FLAGS = LAYOUT.field("send_flags", 32, 4);

  /** Big-endian; shares its field with {@link #INVALIDATE_RKEY}. */
  public static final long IMM_DATA = LAYOUT.field("imm_data", 36, 4);

  /** In host byte order. */
  public static final long INVALIDATE_RKEY = LAYOUT.field("invalidate_rkey", 36, 4);

  public static final long WR_RDMA_REMOTE_ADDR = LAYOUT.field("wr.rdma.remote_addr", 40, 8);
  public static final long WR_RDMA_RKEY = LAYOUT.field("wr.rdma.rkey", 48, 4);
  public static final long WR_ATOMIC_REMOTE_ADDR = LAYOUT.field("wr.atomic.remote_addr", 40, 8);
  public static final long WR_ATOMIC_COMPARE_ADD = LAYOUT.field("wr.atomic.compare_add", 48, 8);
  public static final long WR_ATOMIC_SWAP = LAYOUT.field("wr.atomic.swap", 56, 8);
  public static final long WR_ATOMIC_RKEY = LAYOUT.field("wr.atomic.rkey", 64, 4);
  public static final long WR_UD_AH = LAYOUT.field("wr.ud.ah", 40, 8);
  public static final long WR_UD_REMOTE_QPN = LAYOUT.field("wr.ud.remote_qpn", 48, 4);
  public static final long WR_UD_REMOTE_QKEY = LAYOUT.field("wr.ud.remote_qkey", 52, 4);
  public static final long QP_TYPE_XRC_REMOTE_SRQN = LAYOUT.field("qp_type.xrc.remote_srqn", 72, 4);
  public static final long BIND_MW_MW = LAYOUT.field("bind_mw.mw", 80, 8);
  public static final long BIND_MW_RKEY = LAYOUT.field("bind_mw.rkey", 88, 4);

  /** An {@link IbvMwBindInfo}. */
  public static final long BIND_MW_BIND_INFO = LAYOUT.field("bind_mw.bind_info", 96, 32);

  public static final long BIND_MW_BIND_INFO_MR = LAYOUT.field("bind_mw.bind_info.mr", 96, 8);
  public static final long BIND_MW_BIND_INFO_ADDR = LAYOUT.field("bind_mw.bind_info.addr", 104, 8);

  /** Bytes. */
  public static final long BIND_MW_BIND_INFO_LENGTH =
      LAYOUT.field("bind_mw.bind_info.length", 112, 8);

  public static final long BIND_MW_BIND_INFO_MW_ACCESS_FLAGS =
      LAYOUT.field("bind_mw.bind_info.mw_access_flags", 120, 4);
  public static final long TSO_HDR = LAYOUT.field("tso.hdr", 80, 8);

  /** Bytes. */
  public static final long TSO_HDR_SZ = LAYOUT.field("tso.hdr_sz", 88, 2);

  /** Bytes. */
  public static final long TSO_MSS = LAYOUT.field("tso.mss", 90, 2);

  private IbvSendWr() {}
}
