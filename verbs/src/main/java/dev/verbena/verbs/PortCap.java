package dev.verbena.verbs;

/** Capability bits of a port that RoCE uses (enum ibv_port_cap_flags). */
public final class PortCap {
  /** Communication management. */
  public static final int CM_SUP = 1 << 16;

  /** GIDs derive from IP addresses. */
  public static final int IP_BASED_GIDS = 1 << 26;

  private PortCap() {}
}
