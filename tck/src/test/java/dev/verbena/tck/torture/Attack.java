package dev.verbena.tck.torture;

/** What somebody does who is on no way between two devices, but can send each of them packets. */
enum Attack {
  /** Bytes of any kind, from an address of his own. */
  NOISE,
  /** Packets of the traffic in which bytes were changed, added or cut off, in the peer's name. */
  MUTATED,
  /** Packets of the traffic once more, in the peer's name and with an ICRC that is right. */
  REPLAYED,
  /** What fits in all but the address it is from. */
  STRANGER,
  /**
   * Requests and responses in the peer's name, for a queue pair and a key that exist and with an
   * ICRC that is right; the PSN is guessed, and wrong. Whoever guesses it right is a peer to any
   * device.
   */
  BLIND,
  /** The same for queue pairs that do not exist. */
  NOWHERE
}
