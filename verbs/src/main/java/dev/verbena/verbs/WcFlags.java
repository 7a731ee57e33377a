package dev.verbena.verbs;

/** Flags of a work completion (enum ibv_wc_flags; S0.6). */
public final class WcFlags {
  /** The receive buffer starts with a 40-byte GRH area (UD). */
  public static final int GRH = 1;

  /** Immediate data is valid. */
  public static final int WITH_IMM = 1 << 1;

  /** The device found the checksums right. */
  public static final int IP_CSUM_OK = 1 << 2;

  /** The invalidated key is valid. */
  public static final int WITH_INV = 1 << 3;

  /** Tag matching needs a sync. */
  public static final int TM_SYNC_REQ = 1 << 4;

  /** A tag matched. */
  public static final int TM_MATCH = 1 << 5;

  /** Tag matching placed the data. */
  public static final int TM_DATA_VALID = 1 << 6;

  private WcFlags() {}
}
