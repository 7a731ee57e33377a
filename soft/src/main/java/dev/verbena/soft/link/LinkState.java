package dev.verbena.soft.link;

/** What has become of a link's address and of the interface that has it. */
public enum LinkState {
  /** The interface is up, with carrier, and has the address. */
  UP,
  /** The interface is down or without carrier. */
  DOWN,
  /** The interface is up, but the address was taken from it. */
  NO_ADDRESS,
  /** The interface is gone with the address, or the link was closed. */
  GONE;

  /** Whether packets can travel. */
  public boolean isUp() {
    return this == UP;
  }

  /** Whether the address exists, as far as can be told. */
  public boolean hasAddress() {
    return this == UP || this == DOWN;
  }
}
