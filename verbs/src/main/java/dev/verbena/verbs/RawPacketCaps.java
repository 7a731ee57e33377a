package dev.verbena.verbs;

/** Bits of {@link DeviceAttrEx#rawPacketCaps} (enum ibv_raw_packet_caps). */
public final class RawPacketCaps {
  /** Strips VLAN tags from received frames. */
  public static final int CVLAN_STRIPPING = 1;

  /** Delivers the frame check sequence. */
  public static final int SCATTER_FCS = 1 << 1;

  /** Fills and verifies checksums. */
  public static final int IP_CSUM = 1 << 2;

  /** Waits for receives before dropping frames. */
  public static final int DELAY_DROP = 1 << 3;

  private RawPacketCaps() {}
}
