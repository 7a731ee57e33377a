package dev.verbena.tools.compare;

/**
 * A candidate whose figure is in a row of the table.
 *
 * @param name for the user, and for the bounds that refer to it
 * @param kind its role in the comparison
 * @param trial measures it once
 */
record Subject(String name, Kind kind, Trial trial) {
  /** The role of a subject in a comparison. */
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
     * @param seconds approximate duration, including the warm-up
     * @return the figure, its value in the unit of the row
     * @throws Unavailable if there is nothing to measure here
     */
    Figure run(int seconds) throws InterruptedException;
  }

  /**
   * Thrown if there is nothing to measure, because a program is not installed or a part not built.
   */
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

  /** A trial of something missing, with the reason. */
  static Trial missing(String reason) {
    return seconds -> {
      throw new Unavailable(reason);
    };
  }
}
