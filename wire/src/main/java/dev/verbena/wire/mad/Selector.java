package dev.verbena.wire.mad;

/** How a query compares an MTU, a rate or a packet life time: the values of selectors. */
public final class Selector {
  /** More than what the query says. */
  public static final int GREATER = 0;

  /** Less than what the query says. */
  public static final int LESS = 1;

  /** Exactly what the query says. */
  public static final int EXACTLY = 2;

  /** The best that there is: the largest MTU and rate, the shortest life time. */
  public static final int BEST = 3;

  private Selector() {}
}
