package dev.verbena.wire.mad;

/** The first 24 bytes of every management datagram. */
public final class MadHeader {
  private static final Format.Builder LAYOUT = Format.header("MAD header");

  /** Version of the MAD format, 1. */
  public static final Field BASE_VERSION = LAYOUT.field("BaseVersion", 8);

  /** The class to which it belongs, see {@link MgmtClass}. */
  public static final Field MGMT_CLASS = LAYOUT.field("MgmtClass", 8);

  /** Version of the class's format: 1, or 2 for subnet administration. */
  public static final Field CLASS_VERSION = LAYOUT.field("ClassVersion", 8);

  /** What to do, see {@link MadMethod}. */
  public static final Field METHOD = LAYOUT.field("Method", 8);

  /** In an answer, the result; see {@link MadStatus}. */
  public static final Field STATUS = LAYOUT.field("Status", 16);

  /** Specific to the class. */
  public static final Field CLASS_SPECIFIC = LAYOUT.field("ClassSpecific", 16);

  /** Tells which request an answer belongs to. */
  public static final Field TRANSACTION_ID = LAYOUT.field("TransactionID", 64);

  /** The kind of data, see {@link Format#attributeId()}. */
  public static final Field ATTRIBUTE_ID = LAYOUT.field("AttributeID", 16);

  /** Modifies the attribute, for instance by selecting an instance. */
  public static final Field ATTRIBUTE_MODIFIER = LAYOUT.reserved(16).field("AttributeModifier", 32);

  /** All of them. */
  public static final Format FORMAT = LAYOUT.build();

  /** Bytes of a management datagram. */
  public static final int MAD_LENGTH = 256;

  private MadHeader() {}
}
