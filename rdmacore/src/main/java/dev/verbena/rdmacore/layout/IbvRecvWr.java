package dev.verbena.rdmacore.layout;

/** A receive work request; a list of them is linked through {@link #NEXT}. */
public final class IbvRecvWr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_recv_wr", 32);

  public static final long WR_ID = LAYOUT.field("wr_id", 0, 8);
  public static final long NEXT = LAYOUT.field("next", 8, 8);
  public static final long SG_LIST = LAYOUT.field("sg_list", 16, 8);
  public static final long NUM_SGE = LAYOUT.field("num_sge", 24, 4);

  private IbvRecvWr() {}
}
