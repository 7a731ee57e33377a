package dev.verbena.verbs;

/** Transport service of a queue pair (enum ibv_qp_type). */
public enum QpType implements Numbered {
  /** Reliable connection. */
  RC(2),
  /** Unreliable connection. */
  UC(3),
  /** Unreliable datagram. */
  UD(4),
  /** Whole Ethernet frames. */
  RAW_PACKET(8),
  /** Initiator half of an extended reliable connection. */
  XRC_SEND(9),
  /** Target half of an extended reliable connection. */
  XRC_RECV(10),
  /** Provider specific. */
  DRIVER(255);

  private final int number;

  QpType(int number) {
    this.number = number;
  }

  /**
   * Whether a queue pair of this type can talk to one of the other: RC to RC, UC to UC, UD to UD,
   * and XRC_SEND to XRC_RECV, both ways.
   */
  public boolean fits(QpType peer) {
    return switch (this) {
      case RC, UC, UD -> peer == this;
      case XRC_SEND -> peer == XRC_RECV;
      case XRC_RECV -> peer == XRC_SEND;
      case RAW_PACKET, DRIVER -> false;
    };
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
  public static QpType of(int number) {
    return Numbered.of(QpType.class, number);
  }
}
