package dev.verbena.wire.mad;

/** Describes a port and its settings. */
public final class PortInfo {
  private static final Format.Builder LAYOUT = Format.attribute("PortInfo", 0x15);

  /** Key of subnet management. */
  public static final Field MKEY = LAYOUT.field("M_Key", 64);

  /** Prefix of its GIDs. */
  public static final Field GID_PREFIX = LAYOUT.field("GidPrefix", 64);

  /** Its base LID. */
  public static final Field LID = LAYOUT.field("LID", 16);

  /** LID of the subnet manager. */
  public static final Field MASTER_SM_LID = LAYOUT.field("MasterSMLID", 16);

  /** Its capabilities. */
  public static final Field CAPABILITY_MASK = LAYOUT.field("CapabilityMask", 32);

  /** Result of diagnosis. */
  public static final Field DIAG_CODE = LAYOUT.field("DiagCode", 16);

  /** How long its M_Key protects, in seconds. */
  public static final Field MKEY_LEASE_PERIOD = LAYOUT.field("M_KeyLeasePeriod", 16);

  /** Number of the answering port. */
  public static final Field LOCAL_PORT_NUM = LAYOUT.field("LocalPortNum", 8);

  /** Allowed widths. */
  public static final Field LINK_WIDTH_ENABLED = LAYOUT.field("LinkWidthEnabled", 8);

  /** Possible widths. */
  public static final Field LINK_WIDTH_SUPPORTED = LAYOUT.field("LinkWidthSupported", 8);

  /** Width of the link: 1 is 1x, 2 is 4x. */
  public static final Field LINK_WIDTH_ACTIVE = LAYOUT.field("LinkWidthActive", 8);

  /** Possible speeds. */
  public static final Field LINK_SPEED_SUPPORTED = LAYOUT.field("LinkSpeedSupported", 4);

  /** 1 down, 2 initialize, 3 armed, 4 active. */
  public static final Field PORT_STATE = LAYOUT.field("PortState", 4);

  /** 5 is link up. */
  public static final Field PORT_PHYSICAL_STATE = LAYOUT.field("PortPhysicalState", 4);

  /** What it does when the link is lost. */
  public static final Field LINK_DOWN_DEFAULT_STATE = LAYOUT.field("LinkDownDefaultState", 4);

  /** What the M_Key protects. */
  public static final Field MKEY_PROTECT_BITS = LAYOUT.field("M_KeyProtectBits", 2);

  /** It has 2 to this power LIDs. */
  public static final Field LMC = LAYOUT.reserved(3).field("LMC", 3);

  /** Speed of the link: 1 is 2.5 Gb/s. */
  public static final Field LINK_SPEED_ACTIVE = LAYOUT.field("LinkSpeedActive", 4);

  /** Allowed speeds. */
  public static final Field LINK_SPEED_ENABLED = LAYOUT.field("LinkSpeedEnabled", 4);

  /** MTU of the link, coded. */
  public static final Field NEIGHBOR_MTU = LAYOUT.field("NeighborMTU", 4);

  /** Service level to the subnet manager. */
  public static final Field MASTER_SM_SL = LAYOUT.field("MasterSMSL", 4);

  /** Possible virtual lanes, coded. */
  public static final Field VL_CAP = LAYOUT.field("VLCap", 4);

  /** How to initialize it. */
  public static final Field INIT_TYPE = LAYOUT.field("InitType", 4);

  /** Limit of the lanes of high priority. */
  public static final Field VL_HIGH_LIMIT = LAYOUT.field("VLHighLimit", 8);

  /** Entries of that table. */
  public static final Field VL_ARBITRATION_HIGH_CAP = LAYOUT.field("VLArbitrationHighCap", 8);

  /** Entries of that table. */
  public static final Field VL_ARBITRATION_LOW_CAP = LAYOUT.field("VLArbitrationLowCap", 8);

  /** How it was initialized. */
  public static final Field INIT_TYPE_REPLY = LAYOUT.field("InitTypeReply", 4);

  /** Largest possible MTU, coded. */
  public static final Field MTU_CAP = LAYOUT.field("MTUCap", 4);

  /** Packets dropped until a lane stalls. */
  public static final Field VL_STALL_COUNT = LAYOUT.field("VLStallCount", 3);

  /** How long a packet may be the first of its queue. */
  public static final Field HOQ_LIFE = LAYOUT.field("HOQLife", 5);

  /** Virtual lanes in use, coded. */
  public static final Field OPERATIONAL_VLS = LAYOUT.field("OperationalVLs", 4);

  /** 1 if a switch checks P_Keys of incoming packets. */
  public static final Field PARTITION_ENFORCEMENT_INBOUND =
      LAYOUT.field("PartitionEnforcementInbound", 1);

  /** 1 if a switch checks P_Keys of outgoing packets. */
  public static final Field PARTITION_ENFORCEMENT_OUTBOUND =
      LAYOUT.field("PartitionEnforcementOutbound", 1);

  /** 1 if incoming raw packets are filtered. */
  public static final Field FILTER_RAW_INBOUND = LAYOUT.field("FilterRawInbound", 1);

  /** 1 if outgoing raw packets are filtered. */
  public static final Field FILTER_RAW_OUTBOUND = LAYOUT.field("FilterRawOutbound", 1);

  /** Datagrams with a wrong M_Key. */
  public static final Field MKEY_VIOLATIONS = LAYOUT.field("M_KeyViolations", 16);

  /** Packets with a wrong P_Key. */
  public static final Field PKEY_VIOLATIONS = LAYOUT.field("P_KeyViolations", 16);

  /** Packets with a wrong Q_Key. */
  public static final Field QKEY_VIOLATIONS = LAYOUT.field("Q_KeyViolations", 16);

  /** Entries of its table of GUIDs. */
  public static final Field GUID_CAP = LAYOUT.field("GUIDCap", 8);

  /** 1 asks to register again with the subnet administrator. */
  public static final Field CLIENT_REREGISTER = LAYOUT.field("ClientReregister", 1);

  /** The longest that a packet takes: 4.096 µs times 2 to this power. */
  public static final Field SUBNET_TIME_OUT = LAYOUT.reserved(2).field("SubnetTimeOut", 5);

  /** How long it takes to answer: 4.096 µs times 2 to this power. */
  public static final Field RESPONSE_TIME = LAYOUT.reserved(3).field("RespTimeValue", 5);

  /** Threshold of errors. */
  public static final Field LOCAL_PHY_ERRORS = LAYOUT.field("LocalPhyErrors", 4);

  /** Threshold of errors. */
  public static final Field OVERRUN_ERRORS = LAYOUT.field("OverrunErrors", 4);

  /** Wanted credits. */
  public static final Field MAX_CREDIT_HINT = LAYOUT.field("MaxCreditHint", 16);

  /** Latency of the link, in units of 4 ns. */
  public static final Field LINK_ROUND_TRIP_LATENCY =
      LAYOUT.reserved(8).field("LinkRoundTripLatency", 24);

  /** More of its capabilities. */
  public static final Field CAPABILITY_MASK2 = LAYOUT.field("CapabilityMask2", 16);

  /** Extended speed of the link. */
  public static final Field LINK_SPEED_EXT_ACTIVE = LAYOUT.field("LinkSpeedExtActive", 4);

  /** Possible extended speeds. */
  public static final Field LINK_SPEED_EXT_SUPPORTED = LAYOUT.field("LinkSpeedExtSupported", 4);

  /** Allowed extended speeds. */
  public static final Field LINK_SPEED_EXT_ENABLED =
      LAYOUT.reserved(3).field("LinkSpeedExtEnabled", 5);

  /** All of them. */
  public static final Format FORMAT = LAYOUT.build();

  private PortInfo() {}
}
