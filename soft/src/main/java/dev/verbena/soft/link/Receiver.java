package dev.verbena.soft.link;

/** Takes what a {@link Link} has received. */
@FunctionalInterface
public interface Receiver {
  /**
   * One datagram.
   *
   * @param now engine time, as given to {@link Link#receive}
   */
  void datagram(Arrival arrival, long now);
}
