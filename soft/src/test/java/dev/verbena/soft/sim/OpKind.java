package dev.verbena.soft.sim;

/** Invents requests of one kind. */
@FunctionalInterface
interface OpKind {
  Op draw(Lane lane, long wrId, Dice dice);

  /** The same for one lane. */
  default Draw on(Lane lane) {
    return (wrId, dice) -> draw(lane, wrId, dice);
  }
}
