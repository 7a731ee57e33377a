package dev.verbena.soft.engine.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Throttle;

/** Flight recorder: a NAK that a queue pair has sent or received. */
@Name("dev.verbena.Nak")
@Label("RDMA NAK")
@Description("A NAK that a queue pair has sent or received")
@Throttle(QpEvent.MOST)
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class NakEvent extends QpEvent {
  @Label("PSN")
  private final int psn;

  @Label("Reason")
  @Description("Stable name of the NAK code")
  private final String reason;

  @Label("Sent")
  private final boolean sent;

  NakEvent(Party party, int psn, NakReason reason, boolean sent) {
    super(party);
    this.psn = psn;
    this.reason = reason.name();
    this.sent = sent;
  }
}
