package dev.verbena.tools.compare;

import java.util.Locale;

/**
 * The required size of our figure: a multiple of another subject's figure, or a number.
 *
 * @param against name of the other subject; empty if the factors are the numbers themselves
 * @param atLeast whether more is better
 * @param must factor that the figure must reach; NaN if there is only a goal
 * @param goal factor that it should reach
 */
record Bound(String against, boolean atLeast, double must, double goal) {
  /** How a figure compares with its bound. */
  enum Verdict {
    OK,
    SHORT,

    /** Not judged, because what the figure must be compared with is not installed. */
    ABSENT,
    MISSED;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Bound atLeast(double must, double goal, String against) {
    return new Bound(against, true, must, goal);
  }

  static Bound atMost(double must, double goal, String against) {
    return new Bound(against, false, must, goal);
  }

  /** A bound by a number instead of another subject. */
  static Bound atLeast(double must, double goal) {
    return new Bound("", true, must, goal);
  }

  /** A bound by a number instead of another subject. */
  static Bound atMost(double must, double goal) {
    return new Bound("", false, must, goal);
  }

  boolean isAbsolute() {
    return against.isEmpty();
  }

  boolean hasMust() {
    return !Double.isNaN(must);
  }

  /** The verdict on a ratio, or on the figure itself. */
  Verdict judge(double value) {
    if (reaches(value, goal)) {
      return Verdict.OK;
    }
    return hasMust() && !reaches(value, must) ? Verdict.MISSED : Verdict.SHORT;
  }

  private boolean reaches(double value, double limit) {
    return atLeast ? value >= limit : value <= limit;
  }
}
