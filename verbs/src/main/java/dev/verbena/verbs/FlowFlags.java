package dev.verbena.verbs;

/** Flags of a steering rule (enum ibv_flow_flags). */
public final class FlowFlags {
  /** What matches also goes on to the next rule that matches; NORMAL rules only. */
  public static final int DONT_TRAP = 1 << 1;

  /** The rule is about frames that are sent; software devices do not support it. */
  public static final int EGRESS = 1 << 2;

  /** Every defined flag. */
  public static final int ALL = DONT_TRAP | EGRESS;

  private FlowFlags() {}
}
