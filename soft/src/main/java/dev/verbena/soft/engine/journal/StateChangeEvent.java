package dev.verbena.soft.engine.journal;

import dev.verbena.verbs.QpState;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Flight recorder: a queue pair has changed its state. */
@Name("dev.verbena.StateChange")
@Label("RDMA State Change")
@Description("A queue pair has changed its state")
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class StateChangeEvent extends QpEvent {
  @Label("From")
  private final String from;

  @Label("To")
  private final String to;

  StateChangeEvent(Party party, QpState from, QpState to) {
    super(party);
    this.from = from.name();
    this.to = to.name();
  }
}
