package dev.verbena.rdmacore.layout;

/** A memory window. */
public final class IbvMw {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_mw", 32);

  public static final long CONTEXT = LAYOUT.field("context", 0, 8);
  public static final long PD = LAYOUT.field("pd", 8, 8);
  public static final long RKEY = LAYOUT.field("rkey", 16, 4);
  public static final long HANDLE = LAYOUT.field("handle", 20, 4);
  public static final long TYPE = LAYOUT.field("type", 24, 4);

  private IbvMw() {}
}
