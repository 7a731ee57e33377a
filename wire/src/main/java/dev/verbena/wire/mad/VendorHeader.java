package dev.verbena.wire.mad;

/**
 * The header of the vendors' classes from {@link MgmtClass#VENDOR_WITH_OUI} on, 4 bytes after the
 * {@link RmppHeader}.
 */
public final class VendorHeader {
  private static final Format.Builder LAYOUT = Format.header("vendor header");

  /** The vendor that owns the class: its number from the IEEE. */
  public static final Field OUI = LAYOUT.reserved(8).field("OUI", 24);

  /** All of them. */
  public static final Format FORMAT = LAYOUT.build();

  /** Where it begins. */
  public static final int OFFSET = RmppHeader.PAYLOAD;

  /** Where the data begins. */
  public static final int DATA = 40;

  private VendorHeader() {}
}
