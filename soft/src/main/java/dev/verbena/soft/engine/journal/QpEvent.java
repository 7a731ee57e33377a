package dev.verbena.soft.engine.journal;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** Flight recorder: what the events of all queue pairs have. */
@Category({"RDMA", "Verbena"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
abstract class QpEvent extends Event {
  /** Not private: the recorder would not see it in the events below. */
  @Label("Device")
  final String device;

  /** As {@link #device}. */
  @Label("Queue Pair Number")
  final int qpNum;

  /** Of the queue pair with this number. */
  QpEvent(String device, int qpNum) {
    this.device = device;
    this.qpNum = qpNum;
  }
}
