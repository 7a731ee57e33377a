package dev.verbena.rdmacore.layout;

/** The common beginning of every specification of a flow rule. */
public final class IbvFlowSpec {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_flow_spec", 88);

  public static final long HDR_TYPE = LAYOUT.field("hdr.type", 0, 4);

  /** Bytes from here to the next specification. */
  public static final long HDR_SIZE = LAYOUT.field("hdr.size", 4, 2);

  private IbvFlowSpec() {}
}
