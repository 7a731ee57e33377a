package dev.verbena.rdmacore.layout;

/** The argument of ibv_create_qp_ex; starts like {@link IbvQpInitAttr}. */
public final class IbvQpInitAttrEx {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_qp_init_attr_ex", 136);

  public static final long QP_CONTEXT = LAYOUT.field("qp_context", 0, 8);
  public static final long SEND_CQ = LAYOUT.field("send_cq", 8, 8);
  public static final long RECV_CQ = LAYOUT.field("recv_cq", 16, 8);
  public static final long SRQ = LAYOUT.field("srq", 24, 8);

  /** An {@link IbvQpCap}. */
  public static final long CAP = LAYOUT.field("cap", 32, 20);

  public static final long QP_TYPE = LAYOUT.field("qp_type", 52, 4);
  public static final long SQ_SIG_ALL = LAYOUT.field("sq_sig_all", 56, 4);
  public static final long COMP_MASK = LAYOUT.field("comp_mask", 60, 4);
  public static final long PD = LAYOUT.field("pd", 64, 8);
  public static final long XRCD = LAYOUT.field("xrcd", 72, 8);
  public static final long CREATE_FLAGS = LAYOUT.field("create_flags", 80, 4);

  /** Bytes. */
  public static final long MAX_TSO_HEADER = LAYOUT.field("max_tso_header", 84, 2);

  public static final long RWQ_IND_TBL = LAYOUT.field("rwq_ind_tbl", 88, 8);
  public static final long RX_HASH_CONF_RX_HASH_FUNCTION =
      LAYOUT.field("rx_hash_conf.rx_hash_function", 96, 1);

  /** Bytes. */
  public static final long RX_HASH_CONF_RX_HASH_KEY_LEN =
      LAYOUT.field("rx_hash_conf.rx_hash_key_len", 97, 1);

  public static final long RX_HASH_CONF_RX_HASH_KEY =
      LAYOUT.field("rx_hash_conf.rx_hash_key", 104, 8);
  public static final long RX_HASH_CONF_RX_HASH_FIELDS_MASK =
      LAYOUT.field("rx_hash_conf.rx_hash_fields_mask", 112, 8);
  public static final long SOURCE_QPN = LAYOUT.field("source_qpn", 120, 4);
  public static final long SEND_OPS_FLAGS = LAYOUT.field("send_ops_flags", 128, 8);

  private IbvQpInitAttrEx() {}
}
