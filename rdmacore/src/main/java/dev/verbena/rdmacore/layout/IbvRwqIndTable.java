package dev.verbena.rdmacore.layout;

/** An indirection table. */
public final class IbvRwqIndTable {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_rwq_ind_table", 24);

  public static final long CONTEXT = LAYOUT.field("context", 0, 8);
  public static final long IND_TBL_HANDLE = LAYOUT.field("ind_tbl_handle", 8, 4);
  public static final long IND_TBL_NUM = LAYOUT.field("ind_tbl_num", 12, 4);

  private IbvRwqIndTable() {}
}
