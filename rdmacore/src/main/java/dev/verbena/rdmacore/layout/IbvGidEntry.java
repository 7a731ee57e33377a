package dev.verbena.rdmacore.layout;

/** An entry of the GID table. */
public final class IbvGidEntry {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_gid_entry", 32);

  /** An {@link IbvGid}. */
  public static final long GID = LAYOUT.field("gid", 0, 16);

  public static final long GID_INDEX = LAYOUT.field("gid_index", 16, 4);
  public static final long PORT_NUM = LAYOUT.field("port_num", 20, 4);
  public static final long GID_TYPE = LAYOUT.field("gid_type", 24, 4);

  /** Index of the network interface; 0 if there is none. */
  public static final long NDEV_IFINDEX = LAYOUT.field("ndev_ifindex", 28, 4);

  private IbvGidEntry() {}
}
