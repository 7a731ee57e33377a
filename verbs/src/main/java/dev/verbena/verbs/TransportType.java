package dev.verbena.verbs;

/** Transport of a device (enum ibv_transport_type). */
public enum TransportType implements Numbered {
  /** Unknown. */
  UNKNOWN(-1),
  /** InfiniBand transport, RoCE included. */
  IB(0),
  /** iWARP. */
  IWARP(1),
  /** usNIC. */
  USNIC(2),
  /** usNIC over UDP. */
  USNIC_UDP(3),
  /** Unspecified. */
  UNSPECIFIED(4);

  private final int number;

  TransportType(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }

  /**
   * The constant with this number.
   *
   * @throws VerbsException EINVAL if there is none
   */
  public static TransportType of(int number) {
    return Numbered.of(TransportType.class, number);
  }
}
