package dev.verbena.soft.engine.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Throttle;

/** Flight recorder: a queue pair goes back, to send again from a packet sequence number. */
@Name("dev.verbena.Retransmission")
@Label("RDMA Retransmission")
@Description("A queue pair goes back, to send again from a packet sequence number")
@Throttle(QpEvent.MOST)
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class RetransmissionEvent extends QpEvent {
  @Label("PSN")
  private final int psn;

  @Label("Reason")
  @Description("Stable name: TIMEOUT or GAP")
  private final String reason;

  RetransmissionEvent(Party party, int psn, RetryReason reason) {
    super(party);
    this.psn = psn;
    this.reason = reason.name();
  }
}
