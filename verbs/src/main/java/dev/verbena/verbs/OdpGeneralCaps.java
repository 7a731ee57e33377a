package dev.verbena.verbs;

/** What a device can do with on-demand memory (enum ibv_odp_general_caps). */
public final class OdpGeneralCaps {
  /** Regions may have the right {@link Access#ON_DEMAND}. */
  public static final long SUPPORT = 1;

  /** A region may be the whole address space; this release has no call for that. */
  public static final long SUPPORT_IMPLICIT = 1L << 1;

  private OdpGeneralCaps() {}
}
