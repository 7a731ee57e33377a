package dev.verbena.soft.device.open;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** Flight recorder: the common part of the events of open devices. */
@Category({"RDMA", "Verbena"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads the field
abstract class DeviceEvent extends Event {
  /** Not private, because the recorder would not see it in the subclasses. */
  @Label("Device")
  final String device;

  /** An event of the device with this name. */
  DeviceEvent(String device) {
    this.device = device;
  }
}
