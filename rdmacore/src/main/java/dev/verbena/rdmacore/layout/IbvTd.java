package dev.verbena.rdmacore.layout;

/** A thread domain. */
public final class IbvTd {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_td", 8);

  public static final long CONTEXT = LAYOUT.field("context", 0, 8);

  private IbvTd() {}
}
