package dev.verbena.soft.sim;

import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.WorkCompletion;

/** The receives that the messages to a queue pair take. */
interface Receives {
  /**
   * Those of a new queue pair: of its own, or of its side's shared receive queue.
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

  /** Posts as many as are needed for this many messages, if there is room. */
  void ensure(int messages);

  /** The receive that a completion is of, which must have been its turn. */
  Place take(WorkCompletion wc);

  /** The queue pair was reset: receives of its own are gone. */
  void forget();

  /** The queue pair starts again. */
  void restart();

  /** The queue pair is in error and all completions were taken: nothing may be left. */
  void checkFlushed();

  /** Whether other queue pairs take from the same. */
  boolean areShared();
}
