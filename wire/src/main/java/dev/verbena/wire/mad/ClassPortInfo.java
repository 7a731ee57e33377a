package dev.verbena.wire.mad;

/** The capabilities of the agent of a class. */
public final class ClassPortInfo {
  private static final Format.Builder LAYOUT = Format.attribute("ClassPortInfo", 0x01);

  /** Version of the MAD format. */
  public static final Field BASE_VERSION = LAYOUT.field("BaseVersion", 8);

  /** Version of the class's format. */
  public static final Field CLASS_VERSION = LAYOUT.field("ClassVersion", 8);

  /** Its capabilities. */
  public static final Field CAPABILITY_MASK = LAYOUT.field("CapabilityMask", 16);

  /** More of its capabilities. */
  public static final Field CAPABILITY_MASK2 = LAYOUT.field("CapabilityMask2", 27);

  /** The time it takes to answer: 4.096 µs times 2 to this power. */
  public static final Field RESPONSE_TIME = LAYOUT.field("RespTimeValue", 5);

  /** GID of the agent to ask instead. */
  public static final Field REDIRECT_GID = LAYOUT.field("RedirectGID", 128);

  /** Traffic class to there. */
  public static final Field REDIRECT_TCLASS = LAYOUT.field("RedirectTC", 8);

  /** Service level to there. */
  public static final Field REDIRECT_SL = LAYOUT.field("RedirectSL", 4);

  /** Flow label to there. */
  public static final Field REDIRECT_FLOW_LABEL = LAYOUT.field("RedirectFL", 20);

  /** LID of that agent; 0 if {@link #REDIRECT_GID} counts. */
  public static final Field REDIRECT_LID = LAYOUT.field("RedirectLID", 16);

  /** P_Key to there. */
  public static final Field REDIRECT_PKEY = LAYOUT.field("RedirectP_Key", 16);

  /** Queue pair there. */
  public static final Field REDIRECT_QP = LAYOUT.reserved(8).field("RedirectQP", 24);

  /** Q_Key of it. */
  public static final Field REDIRECT_QKEY = LAYOUT.field("RedirectQ_Key", 32);

  /** GID to which it reports. */
  public static final Field TRAP_GID = LAYOUT.field("TrapGID", 128);

  /** Traffic class to there. */
  public static final Field TRAP_TCLASS = LAYOUT.field("TrapTC", 8);

  /** Service level to there. */
  public static final Field TRAP_SL = LAYOUT.field("TrapSL", 4);

  /** Flow label to there. */
  public static final Field TRAP_FLOW_LABEL = LAYOUT.field("TrapFL", 20);

  /** LID of there. */
  public static final Field TRAP_LID = LAYOUT.field("TrapLID", 16);

  /** P_Key to there. */
  public static final Field TRAP_PKEY = LAYOUT.field("TrapP_Key", 16);

  /** Hop limit to there. */
  public static final Field TRAP_HOP_LIMIT = LAYOUT.field("TrapHL", 8);

  /** Queue pair there. */
  public static final Field TRAP_QP = LAYOUT.field("TrapQP", 24);

  /** Q_Key of it. */
  public static final Field TRAP_QKEY = LAYOUT.field("TrapQ_Key", 32);

  /** All of them. */
  public static final Format FORMAT = LAYOUT.build();

  private ClassPortInfo() {}
}
