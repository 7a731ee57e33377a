package dev.verbena.soft.sim;

import dev.verbena.verbs.WorkCompletion;

/** The receives that the messages to a queue pair take. */
interface Receives {
  /** Posts one more if there is room. */
  void post();

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
}
