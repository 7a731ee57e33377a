package dev.verbena.rdmacore.layout;

/** The part of a region that a memory window covers. */
public final class IbvMwBindInfo {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_mw_bind_info", 32);

  public static final long MR = LAYOUT.field("mr", 0, 8);
  public static final long ADDR = LAYOUT.field("addr", 8, 8);

  /** Bytes. */
  public static final long LENGTH = LAYOUT.field("length", 16, 8);

  public static final long MW_ACCESS_FLAGS = LAYOUT.field("mw_access_flags", 24, 4);

  private IbvMwBindInfo() {}
}
