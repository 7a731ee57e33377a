package dev.verbena.tools.compare;

/**
 * The result of a trial.
 *
 * @param value in the unit of its row
 * @param garbage bytes of garbage for each operation, in the process that left more; NaN if unknown
 * @param resent retransmitted packets; NaN if unknown
 */
record Figure(double value, double garbage, double resent) {
  /** A figure with unknown garbage and retransmissions. */
  static Figure of(double value) {
    return new Figure(value, Double.NaN, Double.NaN);
  }

  /** The same in another unit. */
  Figure times(double factor) {
    return new Figure(value * factor, garbage, resent);
  }

  /**
   * The same, or with the garbage of the other end if that left more.
   *
   * @param other bytes for each operation; NaN if unknown
   */
  Figure withGarbage(double other) {
    return Double.isNaN(other) || other <= garbage ? this : new Figure(value, other, resent);
  }

  /** The same, plus the packets that the other end retransmitted. */
  Figure withResent(double more) {
    return new Figure(value, garbage, Double.isNaN(resent) ? more : resent + more);
  }
}
