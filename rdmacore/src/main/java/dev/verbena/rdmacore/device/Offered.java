package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvDeviceAttrEx;
import dev.verbena.verbs.RawPacketCaps;

/**
 * Takes from the answers of a device what it can do and this provider does not offer: a program
 * that asks before it uses something gets the same answer as the verb would give.
 */
final class Offered {
  /** Of a struct ibv_device_attr_ex: without rules that wait for receives. */
  static void maskEx(long attr) {
    long raw = attr + IbvDeviceAttrEx.RAW_PACKET_CAPS;
    Host.setInt(raw, Host.getInt(raw) & ~RawPacketCaps.DELAY_DROP);
  }

  private Offered() {}
}
