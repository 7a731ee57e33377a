package dev.verbena.rdmacore.layout;

/** Device memory, with the functions that copy to it and from it. */
public final class IbvDm {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_dm", 32);

  public static final long CONTEXT = LAYOUT.field("context", 0, 8);
  public static final long MEMCPY_TO_DM = LAYOUT.field("memcpy_to_dm", 8, 8);
  public static final long MEMCPY_FROM_DM = LAYOUT.field("memcpy_from_dm", 16, 8);
  public static final long COMP_MASK = LAYOUT.field("comp_mask", 24, 4);
  public static final long HANDLE = LAYOUT.field("handle", 28, 4);

  private IbvDm() {}
}
