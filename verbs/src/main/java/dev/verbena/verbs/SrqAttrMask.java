package dev.verbena.verbs;

/** Selects the attributes that a modify of a shared receive queue sets (enum ibv_srq_attr_mask). */
public final class SrqAttrMask {
  /** max_wr. */
  public static final int MAX_WR = 1;

  /** srq_limit. */
  public static final int LIMIT = 1 << 1;

  private SrqAttrMask() {}
}
