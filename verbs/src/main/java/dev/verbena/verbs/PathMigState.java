package dev.verbena.verbs;

/** State of automatic path migration (enum ibv_mig_state). */
public enum PathMigState implements Numbered {
  /** On the alternate path. */
  MIGRATED(0),
  /** To be armed again. */
  REARM(1),
  /** Ready to migrate. */
  ARMED(2);

  private final int number;

  PathMigState(int number) {
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
  public static PathMigState of(int number) {
    return Numbered.of(PathMigState.class, number);
  }
}
