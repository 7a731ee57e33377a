package dev.verbena.wire.mad;

/** Management classes, the values of {@link MadHeader#MGMT_CLASS}. */
public final class MgmtClass {
  /** Subnet management, routed by LID. */
  public static final int SUBN_LID_ROUTED = 0x01;

  /** Subnet management, routed port by port. */
  public static final int SUBN_DIRECTED_ROUTE = 0x81;

  /** Subnet administration. */
  public static final int SUBN_ADM = 0x03;

  /** Performance management. */
  public static final int PERFORMANCE = 0x04;

  /** The first of the vendors' own classes. */
  public static final int VENDOR = 0x09;

  private static final int VENDOR_WITH_OUI = 0x30;

  /** Where the data of vendors begins whose class has headers of RMPP and for their number. */
  private static final int VENDOR_DATA = 40;

  private MgmtClass() {}

  /** Where the data of a datagram begins, behind the headers that the class has. */
  public static int dataOffset(int mgmtClass) {
    return switch (mgmtClass) {
      case SUBN_ADM -> SaHeader.DATA;
      case SUBN_LID_ROUTED, SUBN_DIRECTED_ROUTE, PERFORMANCE -> 64;
      default -> mgmtClass >= VENDOR_WITH_OUI ? VENDOR_DATA : MadHeader.FORMAT.length();
    };
  }

  /** The version of the class's format that is in use. */
  public static int version(int mgmtClass) {
    return mgmtClass == SUBN_ADM ? 2 : 1;
  }
}
