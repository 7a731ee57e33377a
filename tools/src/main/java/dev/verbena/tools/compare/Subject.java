package dev.verbena.tools.compare;

/**
 * Something whose figure stands in a row of the table.
 *
 * @param name for the user, and for the bounds that refer to it
 * @param kind on which side it stands
 * @param trial measures it once
 */
record Subject(String name, Kind kind, Trial trial) {
  /** On which side of a comparison something stands. */
  enum Kind {
    OURS,
    PEER,
    FLOOR
  }

  /** One measurement. */
  interface Trial {
    /**
     * Measures.
     *
     * @param seconds about how long, warming up included
     * @return the figure, its value in the unit of the row
     * @throws Unavailable if there is nothing to measure here
     */
    Figure run(int seconds) throws InterruptedException;
  }

  /** There is nothing to measure: a program is not installed, or a part not built. */
  static final class Unavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unavailable(String reason) {
      super(reason);
    }
  }

  static Subject ours(Trial trial) {
    return new Subject("ours", Kind.OURS, trial);
  }

  static Subject peer(String name, Trial trial) {
    return new Subject(name, Kind.PEER, trial);
  }

  static Subject floor(String name, Trial trial) {
    return new Subject(name, Kind.FLOOR, trial);
  }

  /** Something that is not there, and why. */
  static Trial missing(String reason) {
    return seconds -> {
      throw new Unavailable(reason);
    };
  }
}
