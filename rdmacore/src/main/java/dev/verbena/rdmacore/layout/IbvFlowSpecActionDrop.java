package dev.verbena.rdmacore.layout;

/** The action of a flow rule that drops matching frames. */
public final class IbvFlowSpecActionDrop {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_flow_spec_action_drop", 8);

  public static final long TYPE = LAYOUT.field("type", 0, 4);

  /** Bytes. */
  public static final long SIZE = LAYOUT.field("size", 4, 2);

  private IbvFlowSpecActionDrop() {}
}
