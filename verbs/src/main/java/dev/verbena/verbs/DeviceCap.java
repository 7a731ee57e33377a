package dev.verbena.verbs;

/** Capability bits of a device: {@link DeviceAttr#deviceCapFlags()} (enum ibv_device_cap_flags). */
public final class DeviceCap {
  /** Queue pairs can be resized by modify. Not set by software devices. */
  public static final int RESIZE_MAX_WR = 1;

  /** {@link PortAttr#badPkeyCntr()} counts packets with a wrong P_Key. Set by software devices. */
  public static final int BAD_PKEY_CNTR = 1 << 1;

  /**
   * {@link PortAttr#qkeyViolCntr()} counts packets with a wrong Q_Key. Not set by software devices,
   * although they do count.
   */
  public static final int BAD_QKEY_CNTR = 1 << 2;

  /** Raw packets can be received by multicast. Not set by software devices. */
  public static final int RAW_MULTI = 1 << 3;

  /**
   * Connections can move to an alternate path ({@link QpAttrMask#ALT_PATH}). Not set by software
   * devices.
   */
  public static final int AUTO_PATH_MIG = 1 << 4;

  /** The port of a queue pair can be changed in SQD. Not set by software devices. */
  public static final int CHANGE_PHY_PORT = 1 << 5;

  /**
   * An address handle must have the same port as the queue pair that uses it. Not set by software
   * devices, which have one port.
   */
  public static final int UD_AV_PORT_ENFORCE = 1 << 6;

  /** modify takes {@link QpAttrMask#CUR_STATE} and checks it. Set by software devices. */
  public static final int CURR_QP_STATE_MOD = 1 << 7;

  /** The port can be shut down. Not set by software devices. */
  public static final int SHUTDOWN_PORT = 1 << 8;

  /** The subnet manager can set an initialisation type. Not set by software devices. */
  public static final int INIT_TYPE = 1 << 9;

  /** {@link EventType#PORT_ACTIVE} is raised. Set by software devices. */
  public static final int PORT_ACTIVE_EVENT = 1 << 10;

  /** {@link DeviceAttr#sysImageGuid()} is valid. Set by software devices. */
  public static final int SYS_IMAGE_GUID = 1 << 11;

  /**
   * The responder of a connection answers "not ready" when no receive is posted, and the sender
   * tries again. Set by software devices.
   */
  public static final int RC_RNR_NAK_GEN = 1 << 12;

  /** {@link SharedReceiveQueue#modifyMaxWr} works. Set by software devices. */
  public static final int SRQ_RESIZE = 1 << 13;

  /**
   * A completion queue can raise its event after several completions, by the classic interface. Not
   * set by software devices; they have {@link CompletionQueue#modify}.
   */
  public static final int N_NOTIFY_CQ = 1 << 14;

  /** Memory windows of type 1 ({@link QueuePair#bindMw}). Set by software devices. */
  public static final int MEM_WINDOW = 1 << 17;

  /** {@link SendFlags#IP_CSUM} on UD. Not set by software devices. */
  public static final int UD_IP_CSUM = 1 << 18;

  /** XRC domains, queue pairs and shared receive queues. Set by software devices. */
  public static final int XRC = 1 << 20;

  /** SEND_WITH_INV, LOCAL_INV and BIND_MW. Set by software devices. */
  public static final int MEM_MGT_EXTENSIONS = 1 << 21;

  /**
   * Memory windows of type 2 that belong to the queue pair through which they were bound, whatever
   * its protection domain. Not set by software devices.
   */
  public static final int MEM_WINDOW_TYPE_2A = 1 << 23;

  /**
   * Memory windows of type 2 that belong to the queue pair through which they were bound and to its
   * protection domain. Set by software devices.
   */
  public static final int MEM_WINDOW_TYPE_2B = 1 << 24;

  /** {@link SendFlags#IP_CSUM} on RC. Not set by software devices. */
  public static final int RC_IP_CSUM = 1 << 25;

  /** {@link SendFlags#IP_CSUM} on RAW_PACKET. Set by software devices. */
  public static final int RAW_IP_CSUM = 1 << 26;

  /** Steering rules ({@link QueuePair#createFlow}). Set by software devices, for RAW_PACKET. */
  public static final int MANAGED_FLOW_STEERING = 1 << 29;

  private DeviceCap() {}
}
