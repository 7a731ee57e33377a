package dev.verbena.rdmacore.layout;

/** The attributes of a device. */
public final class IbvDeviceAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_device_attr", 232);

  /** Text terminated by a zero byte. */
  public static final long FW_VER = LAYOUT.field("fw_ver", 0, 64);

  /** Big-endian. */
  public static final long NODE_GUID = LAYOUT.field("node_guid", 64, 8);

  /** Big-endian. */
  public static final long SYS_IMAGE_GUID = LAYOUT.field("sys_image_guid", 72, 8);

  /** Bytes. */
  public static final long MAX_MR_SIZE = LAYOUT.field("max_mr_size", 80, 8);

  /** A bit for each page size. */
  public static final long PAGE_SIZE_CAP = LAYOUT.field("page_size_cap", 88, 8);

  public static final long VENDOR_ID = LAYOUT.field("vendor_id", 96, 4);
  public static final long VENDOR_PART_ID = LAYOUT.field("vendor_part_id", 100, 4);
  public static final long HW_VER = LAYOUT.field("hw_ver", 104, 4);
  public static final long MAX_QP = LAYOUT.field("max_qp", 108, 4);
  public static final long MAX_QP_WR = LAYOUT.field("max_qp_wr", 112, 4);
  public static final long DEVICE_CAP_FLAGS = LAYOUT.field("device_cap_flags", 116, 4);
  public static final long MAX_SGE = LAYOUT.field("max_sge", 120, 4);
  public static final long MAX_SGE_RD = LAYOUT.field("max_sge_rd", 124, 4);
  public static final long MAX_CQ = LAYOUT.field("max_cq", 128, 4);
  public static final long MAX_CQE = LAYOUT.field("max_cqe", 132, 4);
  public static final long MAX_MR = LAYOUT.field("max_mr", 136, 4);
  public static final long MAX_PD = LAYOUT.field("max_pd", 140, 4);
  public static final long MAX_QP_RD_ATOM = LAYOUT.field("max_qp_rd_atom", 144, 4);
  public static final long MAX_EE_RD_ATOM = LAYOUT.field("max_ee_rd_atom", 148, 4);
  public static final long MAX_RES_RD_ATOM = LAYOUT.field("max_res_rd_atom", 152, 4);
  public static final long MAX_QP_INIT_RD_ATOM = LAYOUT.field("max_qp_init_rd_atom", 156, 4);
  public static final long MAX_EE_INIT_RD_ATOM = LAYOUT.field("max_ee_init_rd_atom", 160, 4);
  public static final long ATOMIC_CAP = LAYOUT.field("atomic_cap", 164, 4);
  public static final long MAX_EE = LAYOUT.field("max_ee", 168, 4);
  public static final long MAX_RDD = LAYOUT.field("max_rdd", 172, 4);
  public static final long MAX_MW = LAYOUT.field("max_mw", 176, 4);
  public static final long MAX_RAW_IPV6_QP = LAYOUT.field("max_raw_ipv6_qp", 180, 4);
  public static final long MAX_RAW_ETHY_QP = LAYOUT.field("max_raw_ethy_qp", 184, 4);
  public static final long MAX_MCAST_GRP = LAYOUT.field("max_mcast_grp", 188, 4);
  public static final long MAX_MCAST_QP_ATTACH = LAYOUT.field("max_mcast_qp_attach", 192, 4);
  public static final long MAX_TOTAL_MCAST_QP_ATTACH =
      LAYOUT.field("max_total_mcast_qp_attach", 196, 4);
  public static final long MAX_AH = LAYOUT.field("max_ah", 200, 4);
  public static final long MAX_FMR = LAYOUT.field("max_fmr", 204, 4);
  public static final long MAX_MAP_PER_FMR = LAYOUT.field("max_map_per_fmr", 208, 4);
  public static final long MAX_SRQ = LAYOUT.field("max_srq", 212, 4);
  public static final long MAX_SRQ_WR = LAYOUT.field("max_srq_wr", 216, 4);
  public static final long MAX_SRQ_SGE = LAYOUT.field("max_srq_sge", 220, 4);
  public static final long MAX_PKEYS = LAYOUT.field("max_pkeys", 224, 2);

  /** A code of 5 bits: 4.096 µs × 2^local_ca_ack_delay. */
  public static final long LOCAL_CA_ACK_DELAY = LAYOUT.field("local_ca_ack_delay", 226, 1);

  public static final long PHYS_PORT_CNT = LAYOUT.field("phys_port_cnt", 227, 1);

  private IbvDeviceAttr() {}
}
