package dev.verbena.verbs;

/** Flags of createCqEx (enum ibv_create_cq_attr_flags). */
public final class CreateCqFlags {
  /**
   * The caller promises that only one thread polls at a time, so polling takes no lock. Two threads
   * that poll at once may both see the same completion, or see a torn one.
   */
  public static final int SINGLE_THREADED = 1;

  /**
   * A completion that does not fit is lost silently, without CQ_ERR and without an error on the
   * queue pair. The software device keeps the waiting completions, and frees the send queue entries
   * that the lost one would have freed.
   */
  public static final int IGNORE_OVERRUN = 1 << 1;

  private CreateCqFlags() {}
}
