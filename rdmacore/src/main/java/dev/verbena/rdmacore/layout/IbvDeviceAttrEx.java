package dev.verbena.rdmacore.layout;

/** The attributes of a device that ibv_query_device_ex reads. */
public final class IbvDeviceAttrEx {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_device_attr_ex", 400);

  /** An {@link IbvDeviceAttr}. */
  public static final long ORIG_ATTR = LAYOUT.field("orig_attr", 0, 232);

  public static final long COMP_MASK = LAYOUT.field("comp_mask", 232, 4);
  public static final long ODP_CAPS_GENERAL_CAPS = LAYOUT.field("odp_caps.general_caps", 240, 8);
  public static final long ODP_CAPS_PER_TRANSPORT_CAPS_RC_ODP_CAPS =
      LAYOUT.field("odp_caps.per_transport_caps.rc_odp_caps", 248, 4);
  public static final long ODP_CAPS_PER_TRANSPORT_CAPS_UC_ODP_CAPS =
      LAYOUT.field("odp_caps.per_transport_caps.uc_odp_caps", 252, 4);
  public static final long ODP_CAPS_PER_TRANSPORT_CAPS_UD_ODP_CAPS =
      LAYOUT.field("odp_caps.per_transport_caps.ud_odp_caps", 256, 4);
  public static final long COMPLETION_TIMESTAMP_MASK =
      LAYOUT.field("completion_timestamp_mask", 264, 8);

  /** kHz. */
  public static final long HCA_CORE_CLOCK = LAYOUT.field("hca_core_clock", 272, 8);

  public static final long DEVICE_CAP_FLAGS_EX = LAYOUT.field("device_cap_flags_ex", 280, 8);

  /** Bytes. */
  public static final long TSO_CAPS_MAX_TSO = LAYOUT.field("tso_caps.max_tso", 288, 4);

  public static final long TSO_CAPS_SUPPORTED_QPTS =
      LAYOUT.field("tso_caps.supported_qpts", 292, 4);
  public static final long RSS_CAPS_SUPPORTED_QPTS =
      LAYOUT.field("rss_caps.supported_qpts", 296, 4);
  public static final long RSS_CAPS_MAX_RWQ_INDIRECTION_TABLES =
      LAYOUT.field("rss_caps.max_rwq_indirection_tables", 300, 4);
  public static final long RSS_CAPS_MAX_RWQ_INDIRECTION_TABLE_SIZE =
      LAYOUT.field("rss_caps.max_rwq_indirection_table_size", 304, 4);
  public static final long RSS_CAPS_RX_HASH_FIELDS_MASK =
      LAYOUT.field("rss_caps.rx_hash_fields_mask", 312, 8);
  public static final long RSS_CAPS_RX_HASH_FUNCTION =
      LAYOUT.field("rss_caps.rx_hash_function", 320, 1);
  public static final long MAX_WQ_TYPE_RQ = LAYOUT.field("max_wq_type_rq", 328, 4);

  /** kbit/s. */
  public static final long PACKET_PACING_CAPS_QP_RATE_LIMIT_MIN =
      LAYOUT.field("packet_pacing_caps.qp_rate_limit_min", 332, 4);

  /** kbit/s. */
  public static final long PACKET_PACING_CAPS_QP_RATE_LIMIT_MAX =
      LAYOUT.field("packet_pacing_caps.qp_rate_limit_max", 336, 4);

  public static final long PACKET_PACING_CAPS_SUPPORTED_QPTS =
      LAYOUT.field("packet_pacing_caps.supported_qpts", 340, 4);
  public static final long RAW_PACKET_CAPS = LAYOUT.field("raw_packet_caps", 344, 4);

  /** Bytes. */
  public static final long TM_CAPS_MAX_RNDV_HDR_SIZE =
      LAYOUT.field("tm_caps.max_rndv_hdr_size", 348, 4);

  public static final long TM_CAPS_MAX_NUM_TAGS = LAYOUT.field("tm_caps.max_num_tags", 352, 4);
  public static final long TM_CAPS_FLAGS = LAYOUT.field("tm_caps.flags", 356, 4);
  public static final long TM_CAPS_MAX_OPS = LAYOUT.field("tm_caps.max_ops", 360, 4);
  public static final long TM_CAPS_MAX_SGE = LAYOUT.field("tm_caps.max_sge", 364, 4);
  public static final long CQ_MOD_CAPS_MAX_CQ_COUNT =
      LAYOUT.field("cq_mod_caps.max_cq_count", 368, 2);

  /** Microseconds. */
  public static final long CQ_MOD_CAPS_MAX_CQ_PERIOD =
      LAYOUT.field("cq_mod_caps.max_cq_period", 370, 2);

  /** Bytes. */
  public static final long MAX_DM_SIZE = LAYOUT.field("max_dm_size", 376, 8);

  public static final long PCI_ATOMIC_CAPS_FETCH_ADD =
      LAYOUT.field("pci_atomic_caps.fetch_add", 384, 2);
  public static final long PCI_ATOMIC_CAPS_SWAP = LAYOUT.field("pci_atomic_caps.swap", 386, 2);
  public static final long PCI_ATOMIC_CAPS_COMPARE_SWAP =
      LAYOUT.field("pci_atomic_caps.compare_swap", 388, 2);
  public static final long XRC_ODP_CAPS = LAYOUT.field("xrc_odp_caps", 392, 4);
  public static final long PHYS_PORT_CNT_EX = LAYOUT.field("phys_port_cnt_ex", 396, 4);

  private IbvDeviceAttrEx() {}
}
