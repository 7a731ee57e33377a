package dev.verbena.verbs;

/** What {@link Context#queryRtValuesEx} can answer (enum ibv_values_mask). */
public final class ValuesMask {
  /** The clock behind completion time stamps. */
  public static final int RAW_CLOCK = 1;

  private ValuesMask() {}
}
