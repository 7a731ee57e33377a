package dev.verbena.rdmacore.layout;

/** What ibv_alloc_dm makes device memory from. */
public final class IbvAllocDmAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_alloc_dm_attr", 16);

  /** Bytes. */
  public static final long LENGTH = LAYOUT.field("length", 0, 8);

  /** The alignment is 2 to the power of it, in bytes. */
  public static final long LOG_ALIGN_REQ = LAYOUT.field("log_align_req", 8, 4);

  public static final long COMP_MASK = LAYOUT.field("comp_mask", 12, 4);

  private IbvAllocDmAttr() {}
}
