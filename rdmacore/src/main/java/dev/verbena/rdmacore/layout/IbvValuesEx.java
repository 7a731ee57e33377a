package dev.verbena.rdmacore.layout;

/** The result of ibv_query_rt_values_ex. */
public final class IbvValuesEx {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_values_ex", 24);

  public static final long COMP_MASK = LAYOUT.field("comp_mask", 0, 4);
  public static final long RAW_CLOCK_TV_SEC = LAYOUT.field("raw_clock.tv_sec", 8, 8);

  /** Ticks of hca_core_clock, not nanoseconds. */
  public static final long RAW_CLOCK_TV_NSEC = LAYOUT.field("raw_clock.tv_nsec", 16, 8);

  private IbvValuesEx() {}
}
