package dev.verbena.rdmacore.layout;

/** The action of a flow rule that tags matching frames. */
public final class IbvFlowSpecActionTag {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_flow_spec_action_tag", 12);

  public static final long TYPE = LAYOUT.field("type", 0, 4);

  /** Bytes. */
  public static final long SIZE = LAYOUT.field("size", 4, 2);

  public static final long TAG_ID = LAYOUT.field("tag_id", 8, 4);

  private IbvFlowSpecActionTag() {}
}
