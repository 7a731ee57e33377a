package dev.verbena.wire.mad;

/** Describes a node. */
public final class NodeInfo {
  private static final Format.Builder LAYOUT = Format.attribute("NodeInfo", 0x11);

  /** Version of the MAD format. */
  public static final Field BASE_VERSION = LAYOUT.field("BaseVersion", 8);

  /** Version of subnet management. */
  public static final Field CLASS_VERSION = LAYOUT.field("ClassVersion", 8);

  /** 1 channel adapter, 2 switch, 3 router. */
  public static final Field NODE_TYPE = LAYOUT.field("NodeType", 8);

  /** How many ports it has. */
  public static final Field NUM_PORTS = LAYOUT.field("NumPorts", 8);

  /** GUID of the system to which the node belongs. */
  public static final Field SYSTEM_IMAGE_GUID = LAYOUT.field("SystemImageGUID", 64);

  /** GUID of the node. */
  public static final Field NODE_GUID = LAYOUT.field("NodeGUID", 64);

  /** GUID of this port. */
  public static final Field PORT_GUID = LAYOUT.field("PortGUID", 64);

  /** Entries of its P_Key tables. */
  public static final Field PARTITION_CAP = LAYOUT.field("PartitionCap", 16);

  /** The vendor's number for it. */
  public static final Field DEVICE_ID = LAYOUT.field("DeviceID", 16);

  /** The vendor's number for its revision. */
  public static final Field REVISION = LAYOUT.field("Revision", 32);

  /** Number of this port. */
  public static final Field LOCAL_PORT_NUM = LAYOUT.field("LocalPortNum", 8);

  /** Number of the vendor. */
  public static final Field VENDOR_ID = LAYOUT.field("VendorID", 24);

  /** All of them. */
  public static final Format FORMAT = LAYOUT.build();

  private NodeInfo() {}
}
