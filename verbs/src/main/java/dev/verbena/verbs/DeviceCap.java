package dev.verbena.verbs;

/** Capability bits of a device (enum ibv_device_cap_flags). */
public final class DeviceCap {
  /** QPs resize. */
  public static final int RESIZE_MAX_WR = 1;

  /** Counts P_Key violations. */
  public static final int BAD_PKEY_CNTR = 1 << 1;

  /** Counts Q_Key violations. */
  public static final int BAD_QKEY_CNTR = 1 << 2;

  /** Raw multicast. */
  public static final int RAW_MULTI = 1 << 3;

  /** Path migration. */
  public static final int AUTO_PATH_MIG = 1 << 4;

  /** Port may change. */
  public static final int CHANGE_PHY_PORT = 1 << 5;

  /** Checks the port of an AH. */
  public static final int UD_AV_PORT_ENFORCE = 1 << 6;

  /** cur_qp_state is checked. */
  public static final int CURR_QP_STATE_MOD = 1 << 7;

  /** Ports shut down. */
  public static final int SHUTDOWN_PORT = 1 << 8;

  /** Init types. */
  public static final int INIT_TYPE = 1 << 9;

  /** Raises PORT_ACTIVE. */
  public static final int PORT_ACTIVE_EVENT = 1 << 10;

  /** Has a system image GUID. */
  public static final int SYS_IMAGE_GUID = 1 << 11;

  /** Sends RNR NAKs. */
  public static final int RC_RNR_NAK_GEN = 1 << 12;

  /** SRQs resize. */
  public static final int SRQ_RESIZE = 1 << 13;

  /** Notifies after N. */
  public static final int N_NOTIFY_CQ = 1 << 14;

  /** Memory windows type 1. */
  public static final int MEM_WINDOW = 1 << 17;

  /** Checksums on UD. */
  public static final int UD_IP_CSUM = 1 << 18;

  /** XRC. */
  public static final int XRC = 1 << 20;

  /** Send with invalidate and the like. */
  public static final int MEM_MGT_EXTENSIONS = 1 << 21;

  /** Memory windows 2A. */
  public static final int MEM_WINDOW_TYPE_2A = 1 << 23;

  /** Memory windows 2B. */
  public static final int MEM_WINDOW_TYPE_2B = 1 << 24;

  /** Checksums on RC. */
  public static final int RC_IP_CSUM = 1 << 25;

  /** Checksums on RAW_PACKET. */
  public static final int RAW_IP_CSUM = 1 << 26;

  /** Flow steering. */
  public static final int MANAGED_FLOW_STEERING = 1 << 29;

  private DeviceCap() {}
}
