package dev.verbena.verbs;

/** Flags for {@link QpInitAttr#createFlags(int...)} (enum ibv_qp_create_flags). */
public final class QpCreateFlags {
  /**
   * UD: the queue pair does not receive its own messages to a multicast group that it has joined.
   */
  public static final int BLOCK_SELF_MCAST_LB = 1 << 1;

  /** RAW_PACKET: received frames include the frame check sequence. */
  public static final int SCATTER_FCS = 1 << 8;

  /** RAW_PACKET: customer VLAN tags are stripped from received frames. */
  public static final int CVLAN_STRIPPING = 1 << 9;

  /** Short writes to memory are padded to a cache line. */
  public static final int PCI_WRITE_END_PADDING = 1 << 11;

  private QpCreateFlags() {}
}
