package dev.verbena.soft.device.open;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;

/**
 * Flight recorder: one counter of a device, when it is closed and, while it is open, every ten
 * seconds or as a recording says.
 */
@Name("dev.verbena.DeviceCounter")
@Label("RDMA Device Counter")
@Description(
    "A counter of an RDMA software device since it was opened; also written when it closes")
@Period("10 s")
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class DeviceCounterEvent extends DeviceEvent {
  @Label("Counter")
  @Description("Stable name, as dev.verbena.verbs.Counter.key() gives it")
  private final String counter;

  @Label("Value")
  private final long value;

  DeviceCounterEvent(String device, String counter, long value) {
    super(device);
    this.counter = counter;
    this.value = value;
  }
}
