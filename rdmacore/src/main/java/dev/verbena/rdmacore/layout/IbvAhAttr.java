package dev.verbena.rdmacore.layout;

/** An address vector. */
public final class IbvAhAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_ah_attr", 32);

  /** An {@link IbvGlobalRoute}. */
  public static final long GRH = LAYOUT.field("grh", 0, 24);

  public static final long DLID = LAYOUT.field("dlid", 24, 2);
  public static final long SL = LAYOUT.field("sl", 26, 1);
  public static final long SRC_PATH_BITS = LAYOUT.field("src_path_bits", 27, 1);

  /** An enum ibv_rate, not a number of bit/s. */
  public static final long STATIC_RATE = LAYOUT.field("static_rate", 28, 1);

  public static final long IS_GLOBAL = LAYOUT.field("is_global", 29, 1);
  public static final long PORT_NUM = LAYOUT.field("port_num", 30, 1);

  private IbvAhAttr() {}
}
