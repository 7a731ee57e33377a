package dev.verbena.soft.sim;

import dev.verbena.verbs.WorkCompletion;
import java.util.Collection;

/** What the requests of a lane do at the peer, as far as the service guarantees it. */
interface Delivery {
  void posted(Op op);

  /**
   * A request has completed successfully.
   *
   * @param later the later requests
   */
  void succeeded(Op op, Collection<Op> later);

  /**
   * A request has failed, or was flushed or dropped. It may have been executed, perhaps in part.
   */
  void doubtful(Op op);

  /** A receive of the peer has completed. */
  void received(Place place, WorkCompletion wc);

  /**
   * The peer's queue pair was reset, so completions of its own receives that were not polled are
   * gone (S4.5.3).
   */
  void receiverReset();

  /** Messages that were sent and may still need a receive. */
  int awaited();

  /** Whether a receive for this message may still come. */
  boolean isAwaiting(Op op);

  /** Checks the state after everything has ended without an error. */
  void checkAtRest();

  /** Checks the state after an error or a reset, once nothing is under way. */
  void checkBroken();

  /** The queue pairs start again. */
  void restart();
}
