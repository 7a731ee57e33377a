package dev.verbena.verbs;

/** What a FLUSH covers (enum ibv_selectivity_level). */
public enum FlushLevel implements Numbered {
  /** The range given by address and length. */
  RANGE(0),
  /** The whole region; address and length are ignored. */
  MR(1);

  private final int number;

  FlushLevel(int number) {
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
  public static FlushLevel of(int number) {
    return Numbered.of(FlushLevel.class, number);
  }
}
