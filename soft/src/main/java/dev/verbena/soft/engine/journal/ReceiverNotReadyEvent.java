package dev.verbena.soft.engine.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Throttle;
import jdk.jfr.Timespan;

/** Flight recorder: a queue pair has sent or received an RNR NAK, because there was no receive. */
@Name("dev.verbena.ReceiverNotReady")
@Label("RDMA Receiver Not Ready")
@Description("An RNR NAK, for want of a receive, that a queue pair has sent or received")
@Throttle(QpEvent.MOST)
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class ReceiverNotReadyEvent extends QpEvent {
  @Label("PSN")
  private final int psn;

  @Label("Wait")
  @Timespan(Timespan.NANOSECONDS)
  private final long wait;

  @Label("Sent")
  private final boolean sent;

  ReceiverNotReadyEvent(Party party, int psn, long waitNanos, boolean sent) {
    super(party);
    this.psn = psn;
    this.wait = waitNanos;
    this.sent = sent;
  }
}
