package dev.verbena.rdmacore.layout;

/** An XRC domain. */
public final class IbvXrcd {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_xrcd", 8);

  public static final long CONTEXT = LAYOUT.field("context", 0, 8);

  private IbvXrcd() {}
}
