package dev.verbena.soft.engine.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Flight recorder: a NAK that a queue pair has sent or got. */
@Name("dev.verbena.Nak")
@Label("RDMA NAK")
@Description("A NAK that a queue pair has sent or got")
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class NakEvent extends QpEvent {
  @Label("PSN")
  private final int psn;

  @Label("Code")
  private final String code;

  @Label("Sent")
  private final boolean sent;

  NakEvent(String device, int qpNum, int psn, String code, boolean sent) {
    super(device, qpNum);
    this.psn = psn;
    this.code = code;
    this.sent = sent;
  }
}
