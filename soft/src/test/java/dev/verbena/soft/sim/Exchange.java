package dev.verbena.soft.sim;

import dev.verbena.verbs.WorkCompletion;

/** Queue pairs that exchange messages with each other, with the model of what they should do. */
interface Exchange {
  /** Does something at random. */
  void act();

  /** Lets all posted requests end, and checks them. */
  void finish();

  /** Takes a completion of a side if it belongs to this exchange. */
  boolean take(Side side, WorkCompletion wc);
}
