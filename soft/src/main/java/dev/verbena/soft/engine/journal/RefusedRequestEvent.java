package dev.verbena.soft.engine.journal;

import dev.verbena.soft.transport.RefusedRequest;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Flight recorder: a request of a peer that a queue pair has refused or dropped, and why. */
@Name("dev.verbena.RefusedRequest")
@Label("RDMA Refused Request")
@Description("A request of a peer that a queue pair has refused or dropped, and why")
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class RefusedRequestEvent extends QpEvent {
  @Label("Peer")
  private final String peer;

  @Label("Operation")
  private final String operation;

  @Label("Cause")
  private final String cause;

  @Label("Connection Ended")
  private final boolean ended;

  RefusedRequestEvent(String device, int qpNum, RefusedRequest request) {
    super(device, qpNum);
    this.peer = request.peer();
    this.operation = request.operation();
    this.cause = request.reason();
    this.ended = request.isEnd();
  }
}
