package dev.verbena.verbs;

/** Values that {@link Context#queryRtValuesEx} can return (enum ibv_values_mask). */
public final class ValuesMask {
  /** The clock of completion time stamps. */
  public static final int RAW_CLOCK = 1;

  private ValuesMask() {}
}
