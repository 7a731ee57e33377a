package dev.verbena.soft.sim;

import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.WorkCompletion;

/** The receives for the messages to a queue pair. */
interface Receives {
  /**
   * The receives of a new queue pair: its own, or those of its side's shared receive queue.
   *
   * @param mayHoldOne whether a receive may wait for the next message after one was lost
   */
  static Receives of(QueuePair qp, Side side, boolean mayHoldOne, Scenario scenario) {
    SharedPool pool = side.pool();
    return pool != null && qp.srq() != null
        ? new SharedReceives(pool, qp, mayHoldOne)
        : new OwnReceives(qp, side, scenario.depth());
  }

  /** Posts one more if there is room. */
  void post();

  /** Arms the limit event of a shared receive queue. */
  void armLimit();

  /** Posts receives for this many messages, if there is room. */
  void ensure(int messages);

  /** The receive of a completion; checks that it was next. */
  Place take(WorkCompletion wc);

  /** The queue pair was reset, so its own receives are gone. */
  void forget();

  /** The queue pair starts again. */
  void restart();

  /** Checks that nothing is left, with the queue pair in error and all completions taken. */
  void checkFlushed();

  /** Whether other queue pairs use the same receives. */
  boolean areShared();
}
