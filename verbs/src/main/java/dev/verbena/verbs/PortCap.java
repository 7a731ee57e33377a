package dev.verbena.verbs;

/** Capability bits of a port that software devices use (enum ibv_port_cap_flags). */
public final class PortCap {
  /** The subnet manager is at this port. */
  public static final int SM = 1 << 1;

  /** Communication management. */
  public static final int CM_SUP = 1 << 16;

  /** Clients register again when the subnet manager asks for it. */
  public static final int CLIENT_REG_SUP = 1 << 25;

  /** GIDs derive from IP addresses. */
  public static final int IP_BASED_GIDS = 1 << 26;

  private PortCap() {}
}
