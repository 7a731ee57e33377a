package dev.verbena.rdmacore.layout;

/** The attributes of a queue pair that ibv_modify_qp sets and ibv_query_qp reads. */
public final class IbvQpAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_qp_attr", 144);

  public static final long QP_STATE = LAYOUT.field("qp_state", 0, 4);
  public static final long CUR_QP_STATE = LAYOUT.field("cur_qp_state", 4, 4);

  /** An enum ibv_mtu, not bytes. */
  public static final long PATH_MTU = LAYOUT.field("path_mtu", 8, 4);

  public static final long PATH_MIG_STATE = LAYOUT.field("path_mig_state", 12, 4);
  public static final long QKEY = LAYOUT.field("qkey", 16, 4);
  public static final long RQ_PSN = LAYOUT.field("rq_psn", 20, 4);
  public static final long SQ_PSN = LAYOUT.field("sq_psn", 24, 4);
  public static final long DEST_QP_NUM = LAYOUT.field("dest_qp_num", 28, 4);
  public static final long QP_ACCESS_FLAGS = LAYOUT.field("qp_access_flags", 32, 4);

  /** An {@link IbvQpCap}. */
  public static final long CAP = LAYOUT.field("cap", 36, 20);

  /** An {@link IbvAhAttr}. */
  public static final long AH_ATTR = LAYOUT.field("ah_attr", 56, 32);

  /** An {@link IbvAhAttr}. */
  public static final long ALT_AH_ATTR = LAYOUT.field("alt_ah_attr", 88, 32);

  public static final long PKEY_INDEX = LAYOUT.field("pkey_index", 120, 2);
  public static final long ALT_PKEY_INDEX = LAYOUT.field("alt_pkey_index", 122, 2);
  public static final long EN_SQD_ASYNC_NOTIFY = LAYOUT.field("en_sqd_async_notify", 124, 1);
  public static final long SQ_DRAINING = LAYOUT.field("sq_draining", 125, 1);
  public static final long MAX_RD_ATOMIC = LAYOUT.field("max_rd_atomic", 126, 1);
  public static final long MAX_DEST_RD_ATOMIC = LAYOUT.field("max_dest_rd_atomic", 127, 1);

  /** A code of 5 bits, not a duration. */
  public static final long MIN_RNR_TIMER = LAYOUT.field("min_rnr_timer", 128, 1);

  public static final long PORT_NUM = LAYOUT.field("port_num", 129, 1);

  /** A code of 5 bits: 4.096 µs × 2^timeout; 0 waits for ever. */
  public static final long TIMEOUT = LAYOUT.field("timeout", 130, 1);

  public static final long RETRY_CNT = LAYOUT.field("retry_cnt", 131, 1);
  public static final long RNR_RETRY = LAYOUT.field("rnr_retry", 132, 1);
  public static final long ALT_PORT_NUM = LAYOUT.field("alt_port_num", 133, 1);

  /** Coded as {@link #TIMEOUT}. */
  public static final long ALT_TIMEOUT = LAYOUT.field("alt_timeout", 134, 1);

  /** kbit/s. */
  public static final long RATE_LIMIT = LAYOUT.field("rate_limit", 136, 4);

  private IbvQpAttr() {}
}
