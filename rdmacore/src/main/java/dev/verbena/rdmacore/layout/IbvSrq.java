package dev.verbena.rdmacore.layout;

/** A shared receive queue. */
public final class IbvSrq {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_srq", 128);

  public static final long CONTEXT = LAYOUT.field("context", 0, 8);
  public static final long SRQ_CONTEXT = LAYOUT.field("srq_context", 8, 8);
  public static final long PD = LAYOUT.field("pd", 16, 8);
  public static final long HANDLE = LAYOUT.field("handle", 24, 4);
  public static final long EVENTS_COMPLETED = LAYOUT.field("events_completed", 120, 4);

  private IbvSrq() {}
}
