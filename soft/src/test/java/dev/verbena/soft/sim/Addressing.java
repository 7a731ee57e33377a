package dev.verbena.soft.sim;

import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendWr;

/** The destination that a request names, if it is not the peer of the queue pair. */
interface Addressing {
  /** The queue pair has one peer. */
  Addressing CONNECTED =
      new Addressing() {
        @Override
        public void put(SendWr wr) {}

        @Override
        public void put(QueuePairEx qp) {}
      };

  void put(SendWr wr);

  void put(QueuePairEx qp);
}
