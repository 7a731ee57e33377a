package dev.verbena.tools.compare;

/**
 * What a trial came to.
 *
 * @param value in the unit of its row
 * @param garbage bytes that an operation left to the garbage collector; NaN if that is not known
 * @param resent packets that were sent again; NaN if that is not known
 */
record Figure(double value, double garbage, double resent) {
  /** Of something that allocates and repeats what it likes. */
  static Figure of(double value) {
    return new Figure(value, Double.NaN, Double.NaN);
  }

  /** The same in another unit. */
  Figure times(double factor) {
    return new Figure(value * factor, garbage, resent);
  }

  /** The same, with what the other end has sent again. */
  Figure withResent(double more) {
    return new Figure(value, garbage, Double.isNaN(resent) ? more : resent + more);
  }
}
