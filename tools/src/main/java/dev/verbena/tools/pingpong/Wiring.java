package dev.verbena.tools.pingpong;

import dev.verbena.tools.pingpong.end.Destination;
import dev.verbena.verbs.QueuePair;

/** Takes queue pairs of one transport service from RESET to RTS. */
interface Wiring {
  /** From RESET to INIT, where receives can be posted. */
  void init(QueuePair qp);

  /** From INIT to RTS. */
  void connect(QueuePair qp, Destination local, Destination remote);

  /** Destroys the objects created for the connection, after the queue pair. */
  default void release() {}
}
