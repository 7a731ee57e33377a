package dev.verbena.soft.sim;

/** Invents requests of one sender. */
@FunctionalInterface
interface Draw {
  Op draw(long wrId, Dice dice);
}
