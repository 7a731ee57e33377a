package dev.verbena.wire.mad;

/**
 * The header of the vendors' classes from {@link MgmtClass#VENDOR_WITH_OUI} on, 4 bytes behind the
 * {@link RmppHeader}.
 */
public final class VendorHeader {
  private static final Format.Builder LAYOUT = Format.header("vendor header");

  /** Whose class it is: the number that the IEEE gave the vendor. */
  public static final Field OUI = LAYOUT.reserved(8).field("OUI", 24);

  /** All of them. */
  public static final Format FORMAT = LAYOUT.build();

  /** Where it begins. */
  public static final int OFFSET = RmppHeader.PAYLOAD;

  /** Where the data begins. */
  public static final int DATA = 40;

  private VendorHeader() {}
}
