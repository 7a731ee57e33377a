package dev.verbena.soft.link;

/** Receives datagrams from a {@link Link}. */
@FunctionalInterface
public interface Receiver {
  /**
   * Takes one datagram.
   *
   * @param now engine time, as given to {@link Link#receive}
   */
  void datagram(Arrival arrival, long now);

  /**
   * Datagrams were lost because the link's receive buffer was full. Told once the first one that
   * came behind them was handed over, and only by links to whom the system tells it.
   *
   * @param now as above
   */
  default void overflowed(long now) {}
}
