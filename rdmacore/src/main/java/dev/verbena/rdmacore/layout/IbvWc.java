package dev.verbena.rdmacore.layout;

/** A work completion. */
public final class IbvWc {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_wc", 48);

  public static final long WR_ID = LAYOUT.field("wr_id", 0, 8);
  public static final long STATUS = LAYOUT.field("status", 8, 4);
  public static final long OPCODE = LAYOUT.field("opcode", 12, 4);
  public static final long VENDOR_ERR = LAYOUT.field("vendor_err", 16, 4);

  /** Bytes. */
  public static final long BYTE_LEN = LAYOUT.field("byte_len", 20, 4);

  /** Big-endian; shares its field with {@link #INVALIDATED_RKEY}. */
  public static final long IMM_DATA = LAYOUT.field("imm_data", 24, 4);

  /** In host byte order. */
  public static final long INVALIDATED_RKEY = LAYOUT.field("invalidated_rkey", 24, 4);

  public static final long QP_NUM = LAYOUT.field("qp_num", 28, 4);
  public static final long SRC_QP = LAYOUT.field("src_qp", 32, 4);
  public static final long WC_FLAGS = LAYOUT.field("wc_flags", 36, 4);
  public static final long PKEY_INDEX = LAYOUT.field("pkey_index", 40, 2);
  public static final long SLID = LAYOUT.field("slid", 42, 2);
  public static final long SL = LAYOUT.field("sl", 44, 1);
  public static final long DLID_PATH_BITS = LAYOUT.field("dlid_path_bits", 45, 1);

  private IbvWc() {}
}
