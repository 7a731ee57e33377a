package dev.verbena.soft.sim;

/** Makes up requests of one kind. */
@FunctionalInterface
interface OpKind {
  Op draw(Lane lane, long wrId, Dice dice);
}
