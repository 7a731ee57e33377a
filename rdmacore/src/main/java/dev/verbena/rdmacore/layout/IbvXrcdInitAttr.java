package dev.verbena.rdmacore.layout;

/** The argument of ibv_open_xrcd, which names an XRC domain. */
public final class IbvXrcdInitAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_xrcd_init_attr", 12);

  public static final long COMP_MASK = LAYOUT.field("comp_mask", 0, 4);
  public static final long FD = LAYOUT.field("fd", 4, 4);
  public static final long OFLAGS = LAYOUT.field("oflags", 8, 4);

  private IbvXrcdInitAttr() {}
}
