package dev.verbena.soft.device.open;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;

/** Flight recorder: how many packets a device has dropped for one reason in one period. */
@Name("dev.verbena.DroppedPackets")
@Label("RDMA Dropped Packets")
@Description("Packets that an RDMA software device has dropped since the last event of this reason")
@Period("1 s")
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class DroppedPacketsEvent extends DeviceEvent {
  @Label("Reason")
  @Description("Stable name of the counter, such as dropped_icrc")
  private final String reason;

  @Label("Packets")
  private final long packets;

  DroppedPacketsEvent(String device, String reason, long packets) {
    super(device);
    this.reason = reason;
    this.packets = packets;
  }
}
