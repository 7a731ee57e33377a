package dev.verbena.rdmacore.layout;

/** An address handle. */
public final class IbvAh {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_ah", 24);

  public static final long CONTEXT = LAYOUT.field("context", 0, 8);
  public static final long PD = LAYOUT.field("pd", 8, 8);
  public static final long HANDLE = LAYOUT.field("handle", 16, 4);

  private IbvAh() {}
}
