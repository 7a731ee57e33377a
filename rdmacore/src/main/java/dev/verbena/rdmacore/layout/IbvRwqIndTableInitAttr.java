package dev.verbena.rdmacore.layout;

/** The argument of ibv_create_rwq_ind_table. */
public final class IbvRwqIndTableInitAttr {
  public static final StructLayout LAYOUT =
      new StructLayout("struct ibv_rwq_ind_table_init_attr", 24);

  public static final long LOG_IND_TBL_SIZE = LAYOUT.field("log_ind_tbl_size", 0, 4);

  /** Addresses of {@link IbvWq}. */
  public static final long IND_TBL = LAYOUT.field("ind_tbl", 8, 8);

  public static final long COMP_MASK = LAYOUT.field("comp_mask", 16, 4);

  private IbvRwqIndTableInitAttr() {}
}
