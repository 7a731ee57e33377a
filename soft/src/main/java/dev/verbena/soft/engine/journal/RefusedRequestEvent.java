package dev.verbena.soft.engine.journal;

import dev.verbena.soft.transport.RefusedRequest;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Throttle;

/** Flight recorder: a request of a peer that a queue pair has refused or dropped, and why. */
@Name("dev.verbena.RefusedRequest")
@Label("RDMA Refused Request")
@Description("A request of a peer that a queue pair has refused or dropped, and why")
@Throttle(QpEvent.MOST)
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class RefusedRequestEvent extends QpEvent {
  @Label("Operation")
  private final String operation;

  @Label("Reason")
  @Description("Stable name of the cause")
  private final String reason;

  @Label("Text")
  @Description("The cause in words, with its numbers")
  private final String text;

  @Label("Connection Ended")
  private final boolean ended;

  RefusedRequestEvent(Party party, RefusedRequest request) {
    super(party);
    this.operation = request.operation();
    this.reason = request.cause().name();
    this.text = request.reason();
    this.ended = request.isEnd();
  }
}
