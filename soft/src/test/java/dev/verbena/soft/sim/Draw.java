package dev.verbena.soft.sim;

/** Makes up requests of one sender. */
@FunctionalInterface
interface Draw {
  Op draw(long wrId, Dice dice);
}
