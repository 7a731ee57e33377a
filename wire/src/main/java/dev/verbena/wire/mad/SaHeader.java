package dev.verbena.wire.mad;

/** The header of subnet administration, 20 bytes after the {@link RmppHeader}, in every segment. */
public final class SaHeader {
  private static final Format.Builder LAYOUT = Format.header("SA header");

  /** Proves trust; usually 0. */
  public static final Field SM_KEY = LAYOUT.field("SM_Key", 64);

  /** Distance of records in a table, in units of eight bytes. */
  public static final Field ATTRIBUTE_OFFSET = LAYOUT.field("AttributeOffset", 16);

  /** Which fields of the query count. */
  public static final Field COMPONENT_MASK = LAYOUT.reserved(16).field("ComponentMask", 64);

  /** All of them. */
  public static final Format FORMAT = LAYOUT.build();

  /** Where it begins. */
  public static final int OFFSET = RmppHeader.PAYLOAD;

  /** Where its data begins. */
  public static final int DATA = 56;

  /** Bytes of data of one segment. */
  public static final int DATA_LENGTH = 200;

  private SaHeader() {}
}
