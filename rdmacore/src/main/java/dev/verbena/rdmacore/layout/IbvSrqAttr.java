package dev.verbena.rdmacore.layout;

/** The attributes of a shared receive queue. */
public final class IbvSrqAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_srq_attr", 12);

  public static final long MAX_WR = LAYOUT.field("max_wr", 0, 4);
  public static final long MAX_SGE = LAYOUT.field("max_sge", 4, 4);
  public static final long SRQ_LIMIT = LAYOUT.field("srq_limit", 8, 4);

  private IbvSrqAttr() {}
}
