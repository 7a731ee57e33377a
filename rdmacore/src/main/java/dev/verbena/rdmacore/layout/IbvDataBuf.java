package dev.verbena.rdmacore.layout;

/** A piece of inline data. */
public final class IbvDataBuf {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_data_buf", 16);

  public static final long ADDR = LAYOUT.field("addr", 0, 8);

  /** Bytes. */
  public static final long LENGTH = LAYOUT.field("length", 8, 8);

  private IbvDataBuf() {}
}
