package dev.verbena.rdmacore.layout;

/** The argument of ibv_alloc_dm. */
public final class IbvAllocDmAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_alloc_dm_attr", 16);

  /** Bytes. */
  public static final long LENGTH = LAYOUT.field("length", 0, 8);

  /** Base-2 logarithm of the alignment in bytes. */
  public static final long LOG_ALIGN_REQ = LAYOUT.field("log_align_req", 8, 4);

  public static final long COMP_MASK = LAYOUT.field("comp_mask", 12, 4);

  private IbvAllocDmAttr() {}
}
