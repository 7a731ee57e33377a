package dev.verbena.rdmacore.layout;

/** A completion queue. */
public final class IbvCq {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_cq", 128);

  public static final long CONTEXT = LAYOUT.field("context", 0, 8);
  public static final long CHANNEL = LAYOUT.field("channel", 8, 8);
  public static final long CQ_CONTEXT = LAYOUT.field("cq_context", 16, 8);
  public static final long HANDLE = LAYOUT.field("handle", 24, 4);
  public static final long CQE = LAYOUT.field("cqe", 28, 4);
  public static final long COMP_EVENTS_COMPLETED = LAYOUT.field("comp_events_completed", 120, 4);
  public static final long ASYNC_EVENTS_COMPLETED = LAYOUT.field("async_events_completed", 124, 4);

  private IbvCq() {}
}
