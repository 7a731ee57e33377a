package dev.verbena.verbs;

/** Fields that a {@link CompletionQueueEx} can read (enum ibv_create_cq_wc_flags). */
public final class WcExFlags {
  /** byte_len. */
  public static final int BYTE_LEN = 1;

  /** imm_data and invalidated rkey. */
  public static final int IMM = 1 << 1;

  /** qp_num. */
  public static final int QP_NUM = 1 << 2;

  /** src_qp. */
  public static final int SRC_QP = 1 << 3;

  /** slid. */
  public static final int SLID = 1 << 4;

  /** sl. */
  public static final int SL = 1 << 5;

  /** dlid_path_bits. */
  public static final int DLID_PATH_BITS = 1 << 6;

  /** Device time stamp. */
  public static final int COMPLETION_TIMESTAMP = 1 << 7;

  /** VLAN tag ({@link CompletionQueueEx#readCvlan}); some adapters. */
  public static final int CVLAN = 1 << 8;

  /** Flow tag ({@link CompletionQueueEx#readFlowTag}); some adapters. */
  public static final int FLOW_TAG = 1 << 9;

  /** Tag matching, which this API does not have: refused with EOPNOTSUPP. */
  public static final int TM_INFO = 1 << 10;

  /** Wall clock time stamp. */
  public static final int COMPLETION_TIMESTAMP_WALLCLOCK = 1 << 11;

  /** Bits 0 to 6, which every provider supports. */
  public static final int STANDARD_FLAGS = 0x7f;

  private WcExFlags() {}
}
