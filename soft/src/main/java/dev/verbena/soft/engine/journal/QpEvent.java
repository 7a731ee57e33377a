package dev.verbena.soft.engine.journal;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/**
 * Flight recorder: what the events of all queue pairs have. The fields are not private: the
 * recorder would not see them in the events below.
 */
@Category({"RDMA", "Verbena"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
abstract class QpEvent extends Event {
  /** How many events of a kind a recording has that a peer can bring about as it likes. */
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
