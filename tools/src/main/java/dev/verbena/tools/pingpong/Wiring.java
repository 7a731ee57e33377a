package dev.verbena.tools.pingpong;

import dev.verbena.verbs.QueuePair;

/** How queue pairs of one transport service come from RESET to RTS. */
interface Wiring {
  /** From RESET to INIT, where receives can be posted. */
  void init(QueuePair qp);

  /** From INIT to RTS. */
  void connect(QueuePair qp, Destination local, Destination remote);

  /** Takes down what connecting has made, after the queue pair. */
  default void release() {}
}
