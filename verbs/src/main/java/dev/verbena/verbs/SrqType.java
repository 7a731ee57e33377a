package dev.verbena.verbs;

/** Kind of shared receive queue (enum ibv_srq_type). */
public enum SrqType implements Numbered {
  /** For RC and UD. */
  BASIC(0),
  /** For XRC. */
  XRC(1),
  /** With tag matching. */
  TM(2);

  private final int number;

  SrqType(int number) {
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
  public static SrqType of(int number) {
    return Numbered.of(SrqType.class, number);
  }
}
