package dev.verbena.wire.mad;

/**
 * A multicast group, and a port that is a member of it. The selector of a field says how to compare
 * it, see {@link Selector}.
 */
public final class McMemberRecord {
  private static final Format.Builder LAYOUT = Format.record("MCMemberRecord", 0x38);

  /** The group's GID. */
  public static final Field MGID = LAYOUT.field("MGID", 128);

  /** The member's GID. */
  public static final Field PORT_GID = LAYOUT.field("PortGID", 128);

  /** The group's Q_Key. */
  public static final Field QKEY = LAYOUT.field("Q_Key", 32);

  /** The group's LID, from 0xC000. */
  public static final Field MLID = LAYOUT.field("MLID", 16);

  /** How {@link #MTU} is compared. */
  public static final Field MTU_SELECTOR = LAYOUT.field("MTUSelector", 2);

  /** MTU, coded. */
  public static final Field MTU = LAYOUT.field("MTU", 6);

  /** Traffic class of the GRH. */
  public static final Field TCLASS = LAYOUT.field("TClass", 8);

  /** The group's partition. */
  public static final Field PKEY = LAYOUT.field("P_Key", 16);

  /** How {@link #RATE} is compared. */
  public static final Field RATE_SELECTOR = LAYOUT.field("RateSelector", 2);

  /** Rate, coded. */
  public static final Field RATE = LAYOUT.field("Rate", 6);

  /** How {@link #PACKET_LIFE_TIME} is compared. */
  public static final Field PACKET_LIFE_TIME_SELECTOR = LAYOUT.field("PacketLifeTimeSelector", 2);

  /** How long a packet may be on its way: 4.096 µs times 2 to this power. */
  public static final Field PACKET_LIFE_TIME = LAYOUT.field("PacketLifeTime", 6);

  /** Service level. */
  public static final Field SL = LAYOUT.field("SL", 4);

  /** Flow label of the GRH. */
  public static final Field FLOW_LABEL = LAYOUT.field("FlowLabel", 20);

  /** Hop limit of the GRH. */
  public static final Field HOP_LIMIT = LAYOUT.field("HopLimit", 8);

  /** Scope of the group's GID. */
  public static final Field SCOPE = LAYOUT.field("Scope", 4);

  /** {@link #FULL_MEMBER}, {@link #NON_MEMBER}, {@link #SEND_ONLY}. */
  public static final Field JOIN_STATE = LAYOUT.field("JoinState", 4);

  /** 1 if another port joined for this one. */
  public static final Field PROXY_JOIN = LAYOUT.field("ProxyJoin", 1);

  /** All of them. */
  public static final Format FORMAT = LAYOUT.build();

  /** Join state: sends and receives; the group lives as long as it has such a member. */
  public static final int FULL_MEMBER = 1;

  /** Join state: sends and receives, and does not keep the group alive. */
  public static final int NON_MEMBER = 2;

  /** Join state: sends only, and does not keep the group alive. */
  public static final int SEND_ONLY = 4;

  private McMemberRecord() {}
}
