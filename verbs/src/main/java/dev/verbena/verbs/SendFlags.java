package dev.verbena.verbs;

/** Flags of a send work request (enum ibv_send_flags). */
public final class SendFlags {
  /** Start only after earlier READs and atomics of this queue have completed; RC and XRC. */
  public static final int FENCE = 1;

  /** Generate a completion; has no effect on a queue pair with sq_sig_all. */
  public static final int SIGNALED = 1 << 1;

  /** Raise a solicited event at the peer; SEND family and RDMA_WRITE_WITH_IMM. */
  public static final int SOLICITED = 1 << 2;

  /**
   * Copy the payload while posting; SEND and RDMA_WRITE families. Unlike in C the lkey must be
   * valid for the address: Java reads no bare address. For unregistered memory use {@link Sge#of}
   * with a segment.
   */
  public static final int INLINE = 1 << 3;

  /** Let the device fill IPv4, TCP and UDP checksums; UD and RAW_PACKET. */
  public static final int IP_CSUM = 1 << 4;

  /** Every defined flag. */
  public static final int ALL = FENCE | SIGNALED | SOLICITED | INLINE | IP_CSUM;

  private SendFlags() {}
}
