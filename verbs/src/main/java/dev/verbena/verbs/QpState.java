package dev.verbena.verbs;

/** State of a queue pair (enum ibv_qp_state). */
public enum QpState implements Numbered {
  /** As created; nothing can be posted. */
  RESET(0),
  /** Receives can be posted and are held. */
  INIT(1),
  /** Ready to receive. */
  RTR(2),
  /** Ready to send. */
  RTS(3),
  /** Send queue drained or draining. */
  SQD(4),
  /** Send queue in error (UC, UD, RAW_PACKET). */
  SQE(5),
  /** All work is flushed. */
  ERR(6),
  /** Never reported by this library's own devices. */
  UNKNOWN(7);

  private final int number;

  QpState(int number) {
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
  public static QpState of(int number) {
    return Numbered.of(QpState.class, number);
  }
}
