package dev.verbena.soft.engine.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Flight recorder: a queue pair goes back, to send again from a packet sequence number. */
@Name("dev.verbena.Retransmission")
@Label("RDMA Retransmission")
@Description("A queue pair goes back, to send again from a packet sequence number")
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class RetransmissionEvent extends QpEvent {
  @Label("PSN")
  private final int psn;

  @Label("Cause")
  private final String cause;

  RetransmissionEvent(String device, int qpNum, int psn, String cause) {
    super(device, qpNum);
    this.psn = psn;
    this.cause = cause;
  }
}
