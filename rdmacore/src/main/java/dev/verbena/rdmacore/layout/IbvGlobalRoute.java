package dev.verbena.rdmacore.layout;

/** The global route of an address vector. */
public final class IbvGlobalRoute {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_global_route", 24);

  /** An {@link IbvGid}. */
  public static final long DGID = LAYOUT.field("dgid", 0, 16);

  /** 20 bits, in host byte order. */
  public static final long FLOW_LABEL = LAYOUT.field("flow_label", 16, 4);

  public static final long SGID_INDEX = LAYOUT.field("sgid_index", 20, 1);
  public static final long HOP_LIMIT = LAYOUT.field("hop_limit", 21, 1);
  public static final long TRAFFIC_CLASS = LAYOUT.field("traffic_class", 22, 1);

  private IbvGlobalRoute() {}
}
