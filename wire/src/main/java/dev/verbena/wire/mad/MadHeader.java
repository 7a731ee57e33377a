package dev.verbena.wire.mad;

/** The first 24 bytes of every management datagram. */
public final class MadHeader {
  private static final Format.Builder LAYOUT = Format.header("MAD header");

  /** Version of the MAD format, 1. */
  public static final Field BASE_VERSION = LAYOUT.field("BaseVersion", 8);

  /** Whom it is for, see {@link MgmtClass}. */
  public static final Field MGMT_CLASS = LAYOUT.field("MgmtClass", 8);

  /** Version of the class's format, 1; of subnet administration 2. */
  public static final Field CLASS_VERSION = LAYOUT.field("ClassVersion", 8);

  /** What to do, see {@link MadMethod}. */
  public static final Field METHOD = LAYOUT.field("Method", 8);

  /** How it went, in an answer, see {@link MadStatus}. */
  public static final Field STATUS = LAYOUT.field("Status", 16);

  /** What the class uses it for. */
  public static final Field CLASS_SPECIFIC = LAYOUT.field("ClassSpecific", 16);

  /** Tells which request an answer belongs to. */
  public static final Field TRANSACTION_ID = LAYOUT.field("TransactionID", 64);

  /** What the data is, as {@link Format#attributeId()}. */
  public static final Field ATTRIBUTE_ID = LAYOUT.field("AttributeID", 16);

  /** Which instance of the attribute, or how. */
  public static final Field ATTRIBUTE_MODIFIER = LAYOUT.reserved(16).field("AttributeModifier", 32);

  /** All of them. */
  public static final Format FORMAT = LAYOUT.build();

  /** Bytes of a management datagram. */
  public static final int MAD_LENGTH = 256;

  private MadHeader() {}
}
