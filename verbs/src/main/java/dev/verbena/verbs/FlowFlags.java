package dev.verbena.verbs;

/** Flags of a steering rule (enum ibv_flow_flags). */
public final class FlowFlags {
  /** Matching frames are also passed to the next rule that matches; NORMAL rules only. */
  public static final int DONT_TRAP = 1 << 1;

  /** The rule applies to frames that are sent; not supported by software devices. */
  public static final int EGRESS = 1 << 2;

  /** Every defined flag. */
  public static final int ALL = DONT_TRAP | EGRESS;

  private FlowFlags() {}
}
