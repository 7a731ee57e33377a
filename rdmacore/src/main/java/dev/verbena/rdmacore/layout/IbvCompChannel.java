package dev.verbena.rdmacore.layout;

/** A completion channel. */
public final class IbvCompChannel {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_comp_channel", 16);

  public static final long CONTEXT = LAYOUT.field("context", 0, 8);
  public static final long FD = LAYOUT.field("fd", 8, 4);
  public static final long REFCNT = LAYOUT.field("refcnt", 12, 4);

  private IbvCompChannel() {}
}
