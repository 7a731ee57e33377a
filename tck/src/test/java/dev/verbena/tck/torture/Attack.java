package dev.verbena.tck.torture;

/**
 * What an off-path attacker, who can send packets to both devices, does. He knows too much for a
 * real one: addresses, queue pair numbers, keys, even sequence numbers and the Q_Key. Somebody who
 * names all the right ones is the peer, as far as any device can tell (docs/security.md). So each
 * packet misses in one of them that protects the service that it is for: a {@link Victim.Miss}.
 */
enum Attack {
  /** Random bytes, from the attacker's own address. */
  NOISE,
  /**
   * Packets of the traffic with changed, added or missing bytes, in the peer's name. With IPv4 one
   * in 2^15 passes for a right ICRC, so datagrams have a wrong Q_Key, too.
   */
  MUTATED,
  /**
   * Repeated packets of the traffic, in the peer's name and with a right ICRC. Datagrams, which
   * would be delivered again, have a wrong Q_Key.
   */
  REPLAYED,
  /**
   * Packets of the traffic with changed fields and a right ICRC. They have a sequence number that
   * is in use, the right Q_Key, and all that was right before, but for one: any that protects.
   */
  SEALED,
  /**
   * Packets of the service with a sequence number that is in use, right except for the source
   * address. Datagrams may come from anybody: theirs have a wrong Q_Key.
   */
  STRANGER,
  /**
   * Requests and responses in the peer's name, for an existing queue pair and mostly an existing
   * key, and with a right ICRC; the PSN is guessed, and wrong. On UC, where nearly any PSN is
   * right, it is late. Datagrams have a wrong Q_Key.
   */
  BLIND,
  /**
   * The same closely ahead of what the lane uses, where one in 256 blind guesses lands; but late on
   * UC, where each would be a hit.
   */
  AHEAD,
  /** The same, with the right Q_Key, for queue pairs that do not exist. */
  NOWHERE
}
