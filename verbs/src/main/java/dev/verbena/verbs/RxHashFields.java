package dev.verbena.verbs;

/**
 * Fields of a frame that are hashed (enum ibv_rx_hash_fields; S9.8). Those of IPv4 and those of
 * IPv6 exclude each other, as do those of TCP and those of UDP. They are hashed in this order:
 * source address, destination address, source port, destination port.
 */
public final class RxHashFields {
  /** IPv4 source address. */
  public static final int SRC_IPV4 = 1;

  /** IPv4 destination address. */
  public static final int DST_IPV4 = 1 << 1;

  /** IPv6 source address. */
  public static final int SRC_IPV6 = 1 << 2;

  /** IPv6 destination address. */
  public static final int DST_IPV6 = 1 << 3;

  /** TCP source port. */
  public static final int SRC_PORT_TCP = 1 << 4;

  /** TCP destination port. */
  public static final int DST_PORT_TCP = 1 << 5;

  /** UDP source port. */
  public static final int SRC_PORT_UDP = 1 << 6;

  /** UDP destination port. */
  public static final int DST_PORT_UDP = 1 << 7;

  private RxHashFields() {}
}
