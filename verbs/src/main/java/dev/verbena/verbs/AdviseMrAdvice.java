package dev.verbena.verbs;

/** What will be done with on-demand memory (enum ibv_advise_mr_advice). */
public enum AdviseMrAdvice implements Numbered {
  /** It will be read: its pages are made present for that. */
  PREFETCH(0),
  /** It will be written as well. */
  PREFETCH_WRITE(1),
  /** It will be used: those of its pages that the process has are made known to the device. */
  PREFETCH_NO_FAULT(2);

  private final int number;

  AdviseMrAdvice(int number) {
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
  public static AdviseMrAdvice of(int number) {
    return Numbered.of(AdviseMrAdvice.class, number);
  }
}
