package dev.verbena.tools.compare;

import java.util.Locale;

/**
 * What our figure has to be: a multiple of another subject's, or a number.
 *
 * @param against name of the other subject; empty if the factors are the numbers themselves
 * @param atLeast whether more is better
 * @param must factor that a figure has to reach; NaN if there is only a goal
 * @param goal factor that it should reach
 */
record Bound(String against, boolean atLeast, double must, double goal) {
  /** How a figure stands to what is asked of it. */
  enum Verdict {
    OK,
    SHORT,
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

  /** Of a number instead of another subject. */
  static Bound atLeast(double must, double goal) {
    return new Bound("", true, must, goal);
  }

  /** Of a number instead of another subject. */
  static Bound atMost(double must, double goal) {
    return new Bound("", false, must, goal);
  }

  boolean isAbsolute() {
    return against.isEmpty();
  }

  /** The verdict on a ratio, or on the figure itself. */
  Verdict judge(double value) {
    if (reaches(value, goal)) {
      return Verdict.OK;
    }
    return Double.isNaN(must) || reaches(value, must) ? Verdict.SHORT : Verdict.MISSED;
  }

  private boolean reaches(double value, double limit) {
    return atLeast ? value >= limit : value <= limit;
  }
}
