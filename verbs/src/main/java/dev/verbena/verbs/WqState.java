package dev.verbena.verbs;

/** State of a work queue (enum ibv_wq_state; ibv_modify_wq(3)). */
public enum WqState implements Numbered {
  /** Receives can be posted; nothing is received. */
  RESET(0),
  /** Frames are received. */
  RDY(1),
  /** Failed: receives complete with WR_FLUSH_ERR. */
  ERR(2),
  /** Unknown. */
  UNKNOWN(3);

  private final int number;

  WqState(int number) {
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
  public static WqState of(int number) {
    return Numbered.of(WqState.class, number);
  }
}
