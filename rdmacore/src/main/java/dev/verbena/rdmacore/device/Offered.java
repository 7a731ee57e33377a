package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvDeviceAttr;
import dev.verbena.rdmacore.layout.IbvDeviceAttrEx;
import dev.verbena.verbs.DeviceCap;
import dev.verbena.verbs.RawPacketCaps;

/**
 * Takes from the answers of a device what it can do and this provider does not offer: a program
 * that asks before it uses something gets the same answer as the verb would give.
 */
final class Offered {
  private static final int WITHOUT = DeviceCap.MANAGED_FLOW_STEERING;

  private static final long WITHOUT_EX = Integer.toUnsignedLong(WITHOUT);

  /** Fields of four bytes, of TSO, hashing and work queues. */
  private static final long[] INTS = {
    IbvDeviceAttrEx.TSO_CAPS_MAX_TSO,
    IbvDeviceAttrEx.TSO_CAPS_SUPPORTED_QPTS,
    IbvDeviceAttrEx.RSS_CAPS_SUPPORTED_QPTS,
    IbvDeviceAttrEx.RSS_CAPS_MAX_RWQ_INDIRECTION_TABLES,
    IbvDeviceAttrEx.RSS_CAPS_MAX_RWQ_INDIRECTION_TABLE_SIZE,
    IbvDeviceAttrEx.MAX_WQ_TYPE_RQ
  };

  /** Fields of eight bytes, of hashing and device memory. */
  private static final long[] LONGS = {
    IbvDeviceAttrEx.RSS_CAPS_RX_HASH_FIELDS_MASK, IbvDeviceAttrEx.MAX_DM_SIZE
  };

  /** Of a struct ibv_device_attr. */
  static void mask(long attr) {
    long flags = attr + IbvDeviceAttr.DEVICE_CAP_FLAGS;
    Host.setInt(flags, Host.getInt(flags) & ~WITHOUT);
  }

  /** Of a struct ibv_device_attr_ex. */
  static void maskEx(long attr) {
    mask(attr + IbvDeviceAttrEx.ORIG_ATTR);
    for (long field : INTS) {
      Host.setInt(attr + field, 0);
    }
    for (long field : LONGS) {
      Host.setLong(attr + field, 0);
    }
    Host.setByte(attr + IbvDeviceAttrEx.RSS_CAPS_RX_HASH_FUNCTION, 0);
    long flags = attr + IbvDeviceAttrEx.DEVICE_CAP_FLAGS_EX;
    Host.setLong(flags, Host.getLong(flags) & ~WITHOUT_EX);
    long raw = attr + IbvDeviceAttrEx.RAW_PACKET_CAPS;
    Host.setInt(raw, Host.getInt(raw) & ~RawPacketCaps.DELAY_DROP);
  }

  private Offered() {}
}
