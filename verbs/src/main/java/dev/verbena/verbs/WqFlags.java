package dev.verbena.verbs;

/** Flags for {@link WqInitAttr#createFlags(int...)} (enum ibv_wq_flags). */
public final class WqFlags {
  /** Customer VLAN tags are stripped from received frames. */
  public static final int CVLAN_STRIPPING = 1;

  /** Received frames include the frame check sequence. */
  public static final int SCATTER_FCS = 1 << 1;

  /** Frames that find no receive wait for a while, instead of being dropped at once. */
  public static final int DELAY_DROP = 1 << 2;

  /** Short writes to memory are padded to a cache line. */
  public static final int PCI_WRITE_END_PADDING = 1 << 3;

  private WqFlags() {}
}
