package dev.verbena.verbs;

/** Kind of memory window (enum ibv_mw_type). */
public enum MwType implements Numbered {
  /** Bound by ibv_bind_mw. */
  TYPE_1(1),
  /** Bound by a BIND_MW work request. */
  TYPE_2(2);

  private final int number;

  MwType(int number) {
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
  public static MwType of(int number) {
    return Numbered.of(MwType.class, number);
  }
}
