package dev.verbena.rdmacore.layout;

/** A flow rule; its specifications follow it in memory. */
public final class IbvFlowAttr {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_flow_attr", 20);

  public static final long COMP_MASK = LAYOUT.field("comp_mask", 0, 4);
  public static final long TYPE = LAYOUT.field("type", 4, 4);

  /** Bytes. */
  public static final long SIZE = LAYOUT.field("size", 8, 2);

  public static final long PRIORITY = LAYOUT.field("priority", 10, 2);
  public static final long NUM_OF_SPECS = LAYOUT.field("num_of_specs", 12, 1);
  public static final long PORT = LAYOUT.field("port", 13, 1);
  public static final long FLAGS = LAYOUT.field("flags", 16, 4);

  private IbvFlowAttr() {}
}
