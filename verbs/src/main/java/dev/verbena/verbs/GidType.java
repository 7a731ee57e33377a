package dev.verbena.verbs;

/** Kind of a GID table entry (enum ibv_gid_type_sysfs and ibv_gid_type). */
public enum GidType implements Numbered {
  /** InfiniBand. */
  IB(0),
  /** RoCE over Ethertype 0x8915. */
  ROCE_V1(1),
  /** RoCE over UDP. */
  ROCE_V2(2);

  private final int number;

  GidType(int number) {
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
  public static GidType of(int number) {
    return Numbered.of(GidType.class, number);
  }
}
