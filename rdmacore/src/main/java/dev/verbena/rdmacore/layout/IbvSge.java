package dev.verbena.rdmacore.layout;

/** A scatter/gather element. */
public final class IbvSge {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_sge", 16);

  public static final long ADDR = LAYOUT.field("addr", 0, 8);

  /** Bytes. */
  public static final long LENGTH = LAYOUT.field("length", 8, 4);

  public static final long LKEY = LAYOUT.field("lkey", 12, 4);

  private IbvSge() {}
}
