package dev.verbena.verbs;

/** What reregMr changes (enum ibv_rereg_mr_flags; S5.1.7). */
public final class ReregFlags {
  /** The memory. */
  public static final int CHANGE_TRANSLATION = 1;

  /** The protection domain. */
  public static final int CHANGE_PD = 1 << 1;

  /** The access rights. */
  public static final int CHANGE_ACCESS = 1 << 2;

  private ReregFlags() {}
}
