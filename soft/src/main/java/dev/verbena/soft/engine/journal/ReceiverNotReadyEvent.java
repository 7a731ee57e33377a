package dev.verbena.soft.engine.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** Flight recorder: an RNR NAK, for want of a receive, that a queue pair has sent or got. */
@Name("dev.verbena.ReceiverNotReady")
@Label("RDMA Receiver Not Ready")
@Description("An RNR NAK, for want of a receive, that a queue pair has sent or got")
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class ReceiverNotReadyEvent extends QpEvent {
  @Label("PSN")
  private final int psn;

  @Label("Wait")
  @Timespan(Timespan.NANOSECONDS)
  private final long nanos;

  @Label("Sent")
  private final boolean sent;

  ReceiverNotReadyEvent(String device, int qpNum, int psn, long nanos, boolean sent) {
    super(device, qpNum);
    this.psn = psn;
    this.nanos = nanos;
    this.sent = sent;
  }
}
