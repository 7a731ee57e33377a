package dev.verbena.soft.device;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** Flight recorder: how many packets a device has dropped for one reason in one period. */
@Name("dev.verbena.DroppedPackets")
@Label("RDMA Dropped Packets")
@Description("Packets that an RDMA software device has dropped since the last event of this reason")
@Category({"RDMA", "Verbena"})
@Period("1 s")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class DroppedPacketsEvent extends Event {
  @Label("Device")
  private final String device;

  @Label("Reason")
  @Description("Stable name of the counter, as dropped_icrc")
  private final String reason;

  @Label("Packets")
  private final long packets;

  DroppedPacketsEvent(String device, String reason, long packets) {
    this.device = device;
    this.reason = reason;
    this.packets = packets;
  }
}
