package dev.verbena.verbs;

/**
 * Capability bits of a device beyond the classic 32 (device_cap_flags_ex of struct
 * ibv_device_attr_ex; enum ib_uverbs_device_cap_flags).
 */
public final class DeviceCapEx {
  /** FLUSH to global visibility: {@link FlushType#GLOBAL}. */
  public static final long FLUSH_GLOBAL = 1L << 38;

  /** FLUSH to persistence: {@link FlushType#PERSISTENT}. */
  public static final long FLUSH_PERSISTENT = 1L << 39;

  /** ATOMIC_WRITE. */
  public static final long ATOMIC_WRITE = 1L << 40;

  private DeviceCapEx() {}
}
