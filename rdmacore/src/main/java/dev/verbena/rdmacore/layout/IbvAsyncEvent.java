package dev.verbena.rdmacore.layout;

/** An asynchronous event. */
public final class IbvAsyncEvent {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_async_event", 16);

  public static final long ELEMENT_CQ = LAYOUT.field("element.cq", 0, 8);
  public static final long ELEMENT_QP = LAYOUT.field("element.qp", 0, 8);
  public static final long ELEMENT_SRQ = LAYOUT.field("element.srq", 0, 8);
  public static final long ELEMENT_WQ = LAYOUT.field("element.wq", 0, 8);
  public static final long ELEMENT_PORT_NUM = LAYOUT.field("element.port_num", 0, 4);
  public static final long EVENT_TYPE = LAYOUT.field("event_type", 8, 4);

  private IbvAsyncEvent() {}
}
