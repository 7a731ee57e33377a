package dev.verbena.soft.sim;

import dev.verbena.verbs.WorkCompletion;
import java.util.Collection;

/** What comes of the requests of a lane at the peer, as far as the service promises anything. */
interface Delivery {
  void posted(Op op);

  /**
   * A request has completed successfully.
   *
   * @param later the requests behind it
   */
  void succeeded(Op op, Collection<Op> later);

  /** A request has failed, or was flushed or forgotten: it may have been executed, or in part. */
  void doubtful(Op op);

  /** A receive of the peer has completed. */
  void received(Place place, WorkCompletion wc);

  /**
   * The queue pair of the peer was reset: completions of its own receives that nobody had taken are
   * gone (S4.5.3).
   */
  void receiverReset();

  /** Messages that were sent and may still need a receive. */
  int awaited();

  /** Whether a receive for this message may still come. */
  boolean isAwaiting(Op op);

  /** Everything has come to rest without an error. */
  void checkAtRest();

  /** Nothing is under way any more after an error or a reset. */
  void checkBroken();

  /** The queue pairs start again. */
  void restart();
}
