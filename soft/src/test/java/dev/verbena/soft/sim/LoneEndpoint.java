package dev.verbena.soft.sim;

import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.WorkCompletion;

/** A queue pair without a peer of its own: its send queue and its receives. */
abstract class LoneEndpoint extends Sender {
  private final Receives receives;

  LoneEndpoint(Side side, QueuePairEx qp, Delivery delivery, Receives receives, Scenario scenario) {
    super(side, qp, delivery, scenario);
    this.receives = receives;
  }

  final Receives receives() {
    return receives;
  }

  /** Takes it from RESET to RTS. */
  abstract void start();

  /** A receive has completed. */
  abstract void received(WorkCompletion wc);
}
