package dev.verbena.rdmacore.layout;

/** A memory region. */
public final class IbvMr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_mr", 48);

  public static final long CONTEXT = LAYOUT.field("context", 0, 8);
  public static final long PD = LAYOUT.field("pd", 8, 8);
  public static final long ADDR = LAYOUT.field("addr", 16, 8);

  /** Bytes. */
  public static final long LENGTH = LAYOUT.field("length", 24, 8);

  public static final long HANDLE = LAYOUT.field("handle", 32, 4);
  public static final long LKEY = LAYOUT.field("lkey", 36, 4);
  public static final long RKEY = LAYOUT.field("rkey", 40, 4);

  private IbvMr() {}
}
