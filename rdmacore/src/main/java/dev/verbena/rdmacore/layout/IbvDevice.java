package dev.verbena.rdmacore.layout;

/** A device of the list. */
public final class IbvDevice {
  public static final StructLayout LAYOUT = new StructLayout("struct ibv_device", 664);

  public static final long NODE_TYPE = LAYOUT.field("node_type", 16, 4);
  public static final long TRANSPORT_TYPE = LAYOUT.field("transport_type", 20, 4);

  /** Text terminated by a zero byte. */
  public static final long NAME = LAYOUT.field("name", 24, 64);

  /** Text terminated by a zero byte. */
  public static final long DEV_NAME = LAYOUT.field("dev_name", 88, 64);

  /** Text terminated by a zero byte. */
  public static final long DEV_PATH = LAYOUT.field("dev_path", 152, 256);

  /** Text terminated by a zero byte. */
  public static final long IBDEV_PATH = LAYOUT.field("ibdev_path", 408, 256);

  private IbvDevice() {}
}
