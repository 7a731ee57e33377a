package dev.verbena.soft.device.open;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** Flight recorder: what the events of all open devices have. */
@Category({"RDMA", "Verbena"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads the field
abstract class DeviceEvent extends Event {
  /** Not private: the recorder would not see it in the events below. */
  @Label("Device")
  final String device;

  /** Of the device with this name. */
  DeviceEvent(String device) {
    this.device = device;
  }
}
