package dev.verbena.verbs;

/** Flags of createCqEx (enum ibv_create_cq_attr_flags). */
public final class CreateCqFlags {
  /**
   * The caller promises that one thread at a time polls: polling takes no lock. Two that poll at
   * once may both see a completion, or see one of them torn.
   */
  public static final int SINGLE_THREADED = 1;

  /**
   * A completion for which there is no room is lost silently, without CQ_ERR and without an error
   * of the queue pair. The software device keeps those that are waiting, and frees the place in the
   * send queue that the lost one would have freed.
   */
  public static final int IGNORE_OVERRUN = 1 << 1;

  private CreateCqFlags() {}
}
