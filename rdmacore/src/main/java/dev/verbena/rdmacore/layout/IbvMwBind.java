package dev.verbena.rdmacore.layout;

/** The argument of ibv_bind_mw, for a type 1 memory window. */
public final class IbvMwBind {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_mw_bind", 48);

  public static final long WR_ID = LAYOUT.field("wr_id", 0, 8);
  public static final long SEND_FLAGS = LAYOUT.field("send_flags", 8, 4);

  /** An {@link IbvMwBindInfo}. */
  public static final long BIND_INFO = LAYOUT.field("bind_info", 16, 32);

  public static final long BIND_INFO_MR = LAYOUT.field("bind_info.mr", 16, 8);
  public static final long BIND_INFO_ADDR = LAYOUT.field("bind_info.addr", 24, 8);

  /** Bytes. */
  public static final long BIND_INFO_LENGTH = LAYOUT.field("bind_info.length", 32, 8);

  public static final long BIND_INFO_MW_ACCESS_FLAGS =
      LAYOUT.field("bind_info.mw_access_flags", 40, 4);

  private IbvMwBind() {}
}
