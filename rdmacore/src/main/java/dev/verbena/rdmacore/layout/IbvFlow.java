package dev.verbena.rdmacore.layout;

/** A flow rule in force. */
public final class IbvFlow {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_flow", 24);

  public static final long COMP_MASK = LAYOUT.field("comp_mask", 0, 4);
  public static final long CONTEXT = LAYOUT.field("context", 8, 8);
  public static final long HANDLE = LAYOUT.field("handle", 16, 4);

  private IbvFlow() {}
}
