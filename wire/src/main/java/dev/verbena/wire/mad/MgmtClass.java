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

  private MgmtClass() {}

  /** The version of the class's format that is in use. */
  public static int version(int mgmtClass) {
    return mgmtClass == SUBN_ADM ? 2 : 1;
  }
}
