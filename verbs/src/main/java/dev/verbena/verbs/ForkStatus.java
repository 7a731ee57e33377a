package dev.verbena.verbs;

/** What becomes of registered memory if the process forks (enum ibv_fork_status). */
public enum ForkStatus implements Numbered {
  /**
   * A write after a fork may separate a page of the process from the one that an adapter accesses.
   */
  DISABLED(0),
  /** {@link Devices#forkInit} was called: a forked child does not get registered pages. */
  ENABLED(1),
  /** Nothing is to be done: the kernel, or a software device, keeps both pages the same. */
  UNNEEDED(2);

  private final int number;

  ForkStatus(int number) {
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
  public static ForkStatus of(int number) {
    return Numbered.of(ForkStatus.class, number);
  }
}
