package dev.verbena.soft.engine.journal;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/**
 * Flight recorder: the common part of the events of queue pairs. The fields are not private,
 * because the recorder would not see them in the subclasses.
 */
@Category({"RDMA", "Verbena"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
abstract class QpEvent extends Event {
  /** The limit for the events of a kind that a peer can cause at will. */
  static final String MOST = "100/s";

  @Label("Device")
  final String device;

  @Label("Queue Pair Number")
  final int qpNum;

  @Label("Peer")
  @Description("Address of the peer; empty if the queue pair has none")
  final String peer;

  @Label("Peer Queue Pair Number")
  @Description("0 if it is not known")
  final int peerQpNum;

  QpEvent(Party party) {
    device = party.device();
    qpNum = party.qpNum();
    peer = party.peer();
    peerQpNum = party.peerQpNum();
  }
}
