package dev.verbena.verbs;

/** Flags of a work completion (enum ibv_wc_flags). */
public final class WcFlags {
  /**
   * The 40 bytes at the start of a UD receive hold the header of the datagram. They precede the
   * payload and count in byte_len whether or not this flag is set; it only says that they are
   * valid. The software device always sets it on UD.
   */
  public static final int GRH = 1;

  /** {@link WorkCompletion#immData()} is valid. */
  public static final int WITH_IMM = 1 << 1;

  /** The checksums of the IP header and of TCP or UDP are correct (RAW_PACKET). */
  public static final int IP_CSUM_OK = 1 << 2;

  /** {@link WorkCompletion#invalidatedRkey()} is valid. */
  public static final int WITH_INV = 1 << 3;

  /** Tag matching needs a sync. */
  public static final int TM_SYNC_REQ = 1 << 4;

  /** A tag matched. */
  public static final int TM_MATCH = 1 << 5;

  /** Tag matching placed the data. */
  public static final int TM_DATA_VALID = 1 << 6;

  private WcFlags() {}
}
