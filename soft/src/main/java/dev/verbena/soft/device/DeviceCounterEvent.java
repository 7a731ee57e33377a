package dev.verbena.soft.device;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/**
 * Flight recorder: one counter of an open device, every ten seconds unless a recording says else.
 */
@Name("dev.verbena.DeviceCounter")
@Label("RDMA Device Counter")
@Description("A counter of an open RDMA software device, since it was opened")
@Category({"RDMA", "Verbena"})
@Period("10 s")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class DeviceCounterEvent extends Event {
  @Label("Device")
  private final String device;

  @Label("Counter")
  @Description("Stable name, as dev.verbena.verbs.Counter.key() gives it")
  private final String counter;

  @Label("Value")
  private final long value;

  DeviceCounterEvent(String device, String counter, long value) {
    this.device = device;
    this.counter = counter;
    this.value = value;
  }
}
