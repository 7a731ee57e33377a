package dev.verbena.verbs;

/**
 * Fields of a frame that are hashed (enum ibv_rx_hash_fields; ibv_create_qp_ex(3)). IPv4 fields
 * exclude IPv6 fields, and TCP fields exclude UDP fields. They are hashed in this order: source
 * address, destination address, source port, destination port.
 */
public final class RxHashFields {
  /** IPv4 source address. */
  public static final long SRC_IPV4 = 1;

  /** IPv4 destination address. */
  public static final long DST_IPV4 = 1L << 1;

  /** IPv6 source address. */
  public static final long SRC_IPV6 = 1L << 2;

  /** IPv6 destination address. */
  public static final long DST_IPV6 = 1L << 3;

  /** TCP source port. */
  public static final long SRC_PORT_TCP = 1L << 4;

  /** TCP destination port. */
  public static final long DST_PORT_TCP = 1L << 5;

  /** UDP source port. */
  public static final long SRC_PORT_UDP = 1L << 6;

  /** UDP destination port. */
  public static final long DST_PORT_UDP = 1L << 7;

  private RxHashFields() {}
}
