package dev.verbena.verbs;

/** Scope of atomic operations (enum ibv_atomic_cap). */
public enum AtomicCap implements Numbered {
  /** No atomics. */
  NONE(0),
  /** Atomic among all queue pairs of one device. */
  HCA(1),
  /** Atomic with respect to the processor too. */
  GLOB(2);

  private final int number;

  AtomicCap(int number) {
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
  public static AtomicCap of(int number) {
    return Numbered.of(AtomicCap.class, number);
  }
}
