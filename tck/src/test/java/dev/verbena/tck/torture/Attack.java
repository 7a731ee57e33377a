package dev.verbena.tck.torture;

/** What an off-path attacker, who can send packets to both devices, does. */
enum Attack {
  /** Random bytes, from the attacker's own address. */
  NOISE,
  /** Packets of the traffic with changed, added or missing bytes, in the peer's name. */
  MUTATED,
  /** Repeated packets of the traffic, in the peer's name and with a right ICRC. */
  REPLAYED,
  /** Packets that are right except for the source address. */
  STRANGER,
  /**
   * Requests and responses in the peer's name, for an existing queue pair and mostly an existing
   * key, and with a right ICRC; the PSN is guessed, and wrong. No device can tell a sender with the
   * right PSN from the peer.
   */
  BLIND,
  /** The same closely ahead of what the lane uses, where one in 256 blind guesses lands. */
  AHEAD,
  /** The same for queue pairs that do not exist. */
  NOWHERE
}
