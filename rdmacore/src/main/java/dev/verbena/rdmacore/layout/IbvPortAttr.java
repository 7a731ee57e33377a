package dev.verbena.rdmacore.layout;

/** The attributes of a port. */
public final class IbvPortAttr {
  public static final StructLayout LAYOUT = StructLayout.growing("struct ibv_port_attr", 52);

  public static final long STATE = LAYOUT.field("state", 0, 4);

  /** An enum ibv_mtu, not bytes. */
  public static final long MAX_MTU = LAYOUT.field("max_mtu", 4, 4);

  /** An enum ibv_mtu, not bytes. */
  public static final long ACTIVE_MTU = LAYOUT.field("active_mtu", 8, 4);

  public static final long GID_TBL_LEN = LAYOUT.field("gid_tbl_len", 12, 4);
  public static final long PORT_CAP_FLAGS = LAYOUT.field("port_cap_flags", 16, 4);

  /** Bytes. */
  public static final long MAX_MSG_SZ = LAYOUT.field("max_msg_sz", 20, 4);

  public static final long BAD_PKEY_CNTR = LAYOUT.field("bad_pkey_cntr", 24, 4);
  public static final long QKEY_VIOL_CNTR = LAYOUT.field("qkey_viol_cntr", 28, 4);
  public static final long PKEY_TBL_LEN = LAYOUT.field("pkey_tbl_len", 32, 2);
  public static final long LID = LAYOUT.field("lid", 34, 2);
  public static final long SM_LID = LAYOUT.field("sm_lid", 36, 2);
  public static final long LMC = LAYOUT.field("lmc", 38, 1);
  public static final long MAX_VL_NUM = LAYOUT.field("max_vl_num", 39, 1);
  public static final long SM_SL = LAYOUT.field("sm_sl", 40, 1);

  /** A code of 5 bits: 4.096 µs × 2^subnet_timeout. */
  public static final long SUBNET_TIMEOUT = LAYOUT.field("subnet_timeout", 41, 1);

  public static final long INIT_TYPE_REPLY = LAYOUT.field("init_type_reply", 42, 1);

  /** A code: 1 is 1x, 2 is 4x, 4 is 8x, 8 is 12x, 16 is 2x. */
  public static final long ACTIVE_WIDTH = LAYOUT.field("active_width", 43, 1);

  /** A code, one bit per speed of a lane. */
  public static final long ACTIVE_SPEED = LAYOUT.field("active_speed", 44, 1);

  public static final long PHYS_STATE = LAYOUT.field("phys_state", 45, 1);
  public static final long LINK_LAYER = LAYOUT.field("link_layer", 46, 1);
  public static final long FLAGS = LAYOUT.field("flags", 47, 1);
  public static final long PORT_CAP_FLAGS2 = LAYOUT.field("port_cap_flags2", 48, 2);

  /**
   * Where active_speed_ex is, which is newer than rdma-core 44 and behind all others: the code of a
   * speed that has no room in {@link #ACTIVE_SPEED}, or 0.
   */
  public static long activeSpeedEx() {
    return LAYOUT.size();
  }

  /** Bytes of the struct with it. A library from before leaves it 0. */
  public static long sizeWithSpeedEx() {
    return activeSpeedEx() + Integer.BYTES;
  }

  private IbvPortAttr() {}
}
