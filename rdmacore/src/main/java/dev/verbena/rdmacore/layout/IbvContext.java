package dev.verbena.rdmacore.layout;

/** An open device; the inline functions of verbs.h call its operations. */
public final class IbvContext {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_context", 328);

  public static final long DEVICE = LAYOUT.field("device", 0, 8);
  public static final long OPS_ALLOC_MW = LAYOUT.field("ops.alloc_mw", 64, 8);
  public static final long OPS_BIND_MW = LAYOUT.field("ops.bind_mw", 72, 8);
  public static final long OPS_DEALLOC_MW = LAYOUT.field("ops.dealloc_mw", 80, 8);
  public static final long OPS_POLL_CQ = LAYOUT.field("ops.poll_cq", 96, 8);
  public static final long OPS_REQ_NOTIFY_CQ = LAYOUT.field("ops.req_notify_cq", 104, 8);
  public static final long OPS_POST_SRQ_RECV = LAYOUT.field("ops.post_srq_recv", 168, 8);
  public static final long OPS_POST_SEND = LAYOUT.field("ops.post_send", 208, 8);
  public static final long OPS_POST_RECV = LAYOUT.field("ops.post_recv", 216, 8);
  public static final long CMD_FD = LAYOUT.field("cmd_fd", 264, 4);
  public static final long ASYNC_FD = LAYOUT.field("async_fd", 268, 4);
  public static final long NUM_COMP_VECTORS = LAYOUT.field("num_comp_vectors", 272, 4);

  /** All ones: this struct is part of a {@link VerbsContext}. */
  public static final long ABI_COMPAT = LAYOUT.field("abi_compat", 320, 8);

  private IbvContext() {}
}
