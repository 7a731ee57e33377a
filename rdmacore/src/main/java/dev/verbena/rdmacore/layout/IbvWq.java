package dev.verbena.rdmacore.layout;

/** A work queue. */
public final class IbvWq {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_wq", 152);

  public static final long CONTEXT = LAYOUT.field("context", 0, 8);
  public static final long WQ_CONTEXT = LAYOUT.field("wq_context", 8, 8);
  public static final long PD = LAYOUT.field("pd", 16, 8);
  public static final long CQ = LAYOUT.field("cq", 24, 8);
  public static final long WQ_NUM = LAYOUT.field("wq_num", 32, 4);
  public static final long HANDLE = LAYOUT.field("handle", 36, 4);
  public static final long STATE = LAYOUT.field("state", 40, 4);
  public static final long WQ_TYPE = LAYOUT.field("wq_type", 44, 4);
  public static final long POST_RECV = LAYOUT.field("post_recv", 48, 8);
  public static final long MUTEX = LAYOUT.field("mutex", 56, 40);
  public static final long COND = LAYOUT.field("cond", 96, 48);
  public static final long EVENTS_COMPLETED = LAYOUT.field("events_completed", 144, 4);

  private IbvWq() {}
}
