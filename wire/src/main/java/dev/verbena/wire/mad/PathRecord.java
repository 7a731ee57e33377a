package dev.verbena.wire.mad;

/**
 * A path between two ports of a subnet. The selector of a field says how to compare it, see {@link
 * Selector}.
 */
public final class PathRecord {
  private static final Format.Builder LAYOUT = Format.record("PathRecord", 0x35);

  /** The service that it is for, or 0. */
  public static final Field SERVICE_ID = LAYOUT.field("ServiceID", 64, 2);

  /** Destination GID. */
  public static final Field DGID = LAYOUT.field("DGID", 128);

  /** Source GID. */
  public static final Field SGID = LAYOUT.field("SGID", 128);

  /** Destination LID. */
  public static final Field DLID = LAYOUT.field("DLID", 16);

  /** Source LID. */
  public static final Field SLID = LAYOUT.field("SLID", 16);

  /** 1 if it is for raw packets. */
  public static final Field RAW_TRAFFIC = LAYOUT.field("RawTraffic", 1);

  /** Flow label of the GRH. */
  public static final Field FLOW_LABEL = LAYOUT.reserved(3).field("FlowLabel", 20);

  /**
   * Hop limit of the GRH; 0 if the path needs no GRH. With 1, packets have a GRH, but stay in their
   * subnet.
   */
  public static final Field HOP_LIMIT = LAYOUT.field("HopLimit", 8);

  /** Traffic class of the GRH. */
  public static final Field TCLASS = LAYOUT.field("TClass", 8);

  /** 1 if the way back is the same. */
  public static final Field REVERSIBLE = LAYOUT.field("Reversible", 1);

  /** The most paths that a query wants for each pair of ports. */
  public static final Field NUMB_PATH = LAYOUT.field("NumbPath", 7);

  /** P_Key of the packets. */
  public static final Field PKEY = LAYOUT.field("P_Key", 16);

  /** Class of the quality of service. */
  public static final Field QOS_CLASS = LAYOUT.field("QoSClass", 12);

  /** Service level. */
  public static final Field SL = LAYOUT.field("SL", 4);

  /** How {@link #MTU} is compared. */
  public static final Field MTU_SELECTOR = LAYOUT.field("MtuSelector", 2);

  /** Path MTU, coded: 1 is 256 bytes, 5 is 4096. */
  public static final Field MTU = LAYOUT.field("Mtu", 6);

  /** How {@link #RATE} is compared. */
  public static final Field RATE_SELECTOR = LAYOUT.field("RateSelector", 2);

  /** Rate, coded: 2 is 2.5 Gb/s, 3 is 10 Gb/s. */
  public static final Field RATE = LAYOUT.field("Rate", 6);

  /** How {@link #PACKET_LIFE_TIME} is compared. */
  public static final Field PACKET_LIFE_TIME_SELECTOR = LAYOUT.field("PacketLifeTimeSelector", 2);

  /** How long a packet may be on its way: 4.096 µs times 2 to this power. */
  public static final Field PACKET_LIFE_TIME = LAYOUT.field("PacketLifeTime", 6);

  /** 0 is the best of several. */
  public static final Field PREFERENCE = LAYOUT.field("Preference", 8);

  /** All of them. */
  public static final Format FORMAT = LAYOUT.reserved(48).build();

  private PathRecord() {}
}
