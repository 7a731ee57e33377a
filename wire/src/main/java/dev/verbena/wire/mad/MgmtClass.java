package dev.verbena.wire.mad;

/** Management classes, the values of {@link MadHeader#MGMT_CLASS}. */
public final class MgmtClass {
  /** Subnet management, routed by LID. */
  public static final int SUBN_LID_ROUTED = 0x01;

  /** Subnet management, routed port by port, see {@link DirectedRoute}. */
  public static final int SUBN_DIRECTED_ROUTE = 0x81;

  /** Subnet administration. */
  public static final int SUBN_ADM = 0x03;

  /** Performance management. */
  public static final int PERFORMANCE = 0x04;

  /** The first of the vendors' own classes without {@link VendorHeader}. */
  public static final int VENDOR = 0x09;

  /** The first of the vendors' own classes with {@link RmppHeader} and {@link VendorHeader}. */
  public static final int VENDOR_WITH_OUI = 0x30;

  private static final int LAST_VENDOR_WITH_OUI = 0x4F;

  /** Where data begins after a key or reserved bytes. */
  private static final int KEYED_DATA = 64;

  private MgmtClass() {}

  /** Where the data of a datagram begins, after the headers of the class. */
  public static int dataOffset(int mgmtClass) {
    return switch (mgmtClass) {
      case SUBN_ADM -> SaHeader.DATA;
      case SUBN_LID_ROUTED, SUBN_DIRECTED_ROUTE, PERFORMANCE -> KEYED_DATA;
      default -> isVendorWithOui(mgmtClass) ? VendorHeader.DATA : MadHeader.FORMAT.length();
    };
  }

  /** Bytes of data of a datagram. */
  public static int dataLength(int mgmtClass) {
    return isSubnetManagement(mgmtClass)
        ? DirectedRoute.DATA_LENGTH
        : MadHeader.MAD_LENGTH - dataOffset(mgmtClass);
  }

  /** Whether its datagrams have an {@link RmppHeader}, so that they may be segments. */
  public static boolean hasRmpp(int mgmtClass) {
    return mgmtClass == SUBN_ADM || isVendorWithOui(mgmtClass);
  }

  /** Whether its datagrams name the vendor, by a {@link VendorHeader}. */
  public static boolean isVendorWithOui(int mgmtClass) {
    return mgmtClass >= VENDOR_WITH_OUI && mgmtClass <= LAST_VENDOR_WITH_OUI;
  }

  /** Whether its datagrams go to queue pair 0. */
  public static boolean isSubnetManagement(int mgmtClass) {
    return mgmtClass == SUBN_LID_ROUTED || mgmtClass == SUBN_DIRECTED_ROUTE;
  }

  /** The current version of the class's format. */
  public static int version(int mgmtClass) {
    return mgmtClass == SUBN_ADM ? 2 : 1;
  }
}
