package dev.verbena.soft.link;

/** The state of a link's address and of its interface. */
public enum LinkState {
  /** The interface is up, with carrier, and has the address. */
  UP,
  /** The interface is down or without carrier. */
  DOWN,
  /** The interface is up, but no longer has the address. */
  NO_ADDRESS,
  /** The interface is gone with the address, or the link was closed. */
  GONE;

  /** Whether packets can travel. */
  public boolean isUp() {
    return this == UP;
  }

  /** Whether the address exists, as far as known. */
  public boolean hasAddress() {
    return this == UP || this == DOWN;
  }
}
