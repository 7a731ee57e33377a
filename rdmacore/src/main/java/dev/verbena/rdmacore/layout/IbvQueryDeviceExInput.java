package dev.verbena.rdmacore.layout;

/** The input of ibv_query_device_ex. */
public final class IbvQueryDeviceExInput {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_query_device_ex_input", 4);

  /** No bit is defined. */
  public static final long COMP_MASK = LAYOUT.field("comp_mask", 0, 4);

  private IbvQueryDeviceExInput() {}
}
