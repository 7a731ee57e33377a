package dev.verbena.verbs;

/** What {@link QpInitAttr#createFlags(int...)} can ask for (enum ibv_qp_create_flags). */
public final class QpCreateFlags {
  /** UD: the queue pair gets no copy of what it sends to a multicast group it is in. */
  public static final int BLOCK_SELF_MCAST_LB = 1 << 1;

  /** RAW_PACKET: receives have the frame check sequence. */
  public static final int SCATTER_FCS = 1 << 8;

  /** RAW_PACKET: received customer VLAN tags are taken off. */
  public static final int CVLAN_STRIPPING = 1 << 9;

  /** Short writes to memory are padded to a cache line. */
  public static final int PCI_WRITE_END_PADDING = 1 << 11;

  private QpCreateFlags() {}
}
