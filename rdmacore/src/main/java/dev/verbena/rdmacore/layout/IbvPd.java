package dev.verbena.rdmacore.layout;

/** A protection domain. */
public final class IbvPd {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_pd", 16);

  public static final long CONTEXT = LAYOUT.field("context", 0, 8);
  public static final long HANDLE = LAYOUT.field("handle", 8, 4);

  private IbvPd() {}
}
