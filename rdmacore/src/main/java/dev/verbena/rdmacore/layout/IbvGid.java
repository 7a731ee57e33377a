package dev.verbena.rdmacore.layout;

/** A global identifier, big-endian throughout. */
public final class IbvGid {
  public static final StructLayout LAYOUT = new StructLayout("union ibv_gid", 16);

  public static final long RAW = LAYOUT.field("raw", 0, 16);
  public static final long GLOBAL_SUBNET_PREFIX = LAYOUT.field("global.subnet_prefix", 0, 8);
  public static final long GLOBAL_INTERFACE_ID = LAYOUT.field("global.interface_id", 8, 8);

  private IbvGid() {}
}
