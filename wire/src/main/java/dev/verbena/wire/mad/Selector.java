package dev.verbena.wire.mad;

/** How a query compares an MTU, a rate or a packet life time: the values of selectors. */
public final class Selector {
  /** More than the query's value. */
  public static final int GREATER = 0;

  /** Less than the query's value. */
  public static final int LESS = 1;

  /** Exactly the query's value. */
  public static final int EXACTLY = 2;

  /** The best value: the largest MTU and rate, the shortest life time. */
  public static final int BEST = 3;

  private Selector() {}
}
